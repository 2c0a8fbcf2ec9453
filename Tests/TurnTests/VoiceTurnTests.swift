import Testing

@testable import Turn

@Suite("VoiceTurn, call by call")
struct VoiceTurnTests {
    private let id = UtteranceID("2030-01-01-a")

    private func begun(_ turn: inout VoiceTurn) throws -> VoiceTurn.Token {
        let token = turn.begin()
        return try #require(token)
    }

    private func listening() throws -> VoiceTurn {
        var turn = VoiceTurn()
        let opened = turn.audioUp(try begun(&turn))
        try #require(opened)
        return turn
    }

    @Test func startsOffWithTheMicrophoneClosed() {
        let turn = VoiceTurn()
        #expect(turn.phase == .off)
        #expect(!turn.micOpen)
        #expect(!turn.starting)
        #expect(turn.pending == nil)
    }

    @Test func askingIsNotOpening() {
        var turn = VoiceTurn()
        let token = turn.begin()
        #expect(token != nil)
        #expect(turn.starting)
        #expect(turn.phase == .off)
        #expect(!turn.micOpen)
    }

    @Test func stopBetweenBeginAndAudioUpOpensNothing() throws {
        var turn = VoiceTurn()
        let token = try begun(&turn)
        turn.stop()
        let opened = turn.audioUp(token)
        #expect(!opened)
        #expect(!turn.micOpen)
    }

    @Test func haltBetweenBeginAndAudioUpOpensNothing() throws {
        var turn = VoiceTurn()
        let token = try begun(&turn)
        turn.halt("the microphone did not start")
        let opened = turn.audioUp(token)
        #expect(!opened)
        #expect(turn.phase == .stopped("the microphone did not start"))
    }

    @Test func aSecondBeginWhileStartingIsRefused() {
        var turn = VoiceTurn()
        _ = turn.begin()
        let second = turn.begin()
        #expect(second == nil)
    }

    @Test func aTokenOpensOnce() throws {
        var turn = VoiceTurn()
        let token = try begun(&turn)
        let first = turn.audioUp(token)
        turn.stop()
        let second = turn.audioUp(token)
        #expect(first)
        #expect(!second)
    }

    @Test func theTokenOfAnEarlierStartDoesNotOpenALaterOne() throws {
        var turn = VoiceTurn()
        let early = try begun(&turn)
        turn.stop()
        let late = try begun(&turn)
        let byEarly = turn.audioUp(early)
        let byLate = turn.audioUp(late)
        #expect(!byEarly)
        #expect(byLate)
    }

    @Test func aStoppedTurnKeepsItsReasonWhileTheNextOneStarts() {
        var turn = VoiceTurn()
        turn.halt("no reply")
        let token = turn.begin()
        #expect(token != nil)
        #expect(turn.phase == .stopped("no reply"))
    }

    @Test func theMicrophoneIsClosedFromTheMomentTheEndIsDecided() throws {
        var turn = try listening()
        turn.sent(id)
        #expect(!turn.micOpen)
        #expect(turn.pending == id)
    }

    @Test func anOlderRepliesLateEndIsNotThisTurnsEnd() throws {
        var turn = try listening()
        turn.sent(id)
        let accepted = turn.replyOver(UtteranceID("older"))
        #expect(!accepted)
        #expect(turn.phase == .thinking(id))
    }

    @Test func whereNoReplyIsExpectedTheTurnEndsAtOnce() throws {
        var turn = try listening()
        turn.sent(id)
        turn.replyOver(id)
        #expect(turn.phase == .off)
        #expect(turn.pending == nil)
    }

    @Test func aFileThatFailsToFinishStopsTheTurnWithAReason() throws {
        var turn = try listening()
        turn.sent(id)
        turn.halt("the storage cannot be written")
        #expect(turn.phase == .stopped("the storage cannot be written"))
    }
}
