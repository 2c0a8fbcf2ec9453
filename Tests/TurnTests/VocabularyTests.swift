import Testing

@testable import Turn

@Suite("Words for the wearer")
struct VocabularyTests {
    @Test func everyFaultHasACodeOfItsOwnFromOneOn() {
        #expect(Fault.allCases.map(\.code).sorted() == Array(1...Fault.allCases.count))
    }

    @Test func everyFaultHasASentenceOfItsOwn() {
        #expect(Set(Fault.allCases.map(\.description)).count == Fault.allCases.count)
        #expect(Fault.microphone.description == "the microphone did not start")
        #expect(Fault.noReply.description == "no reply")
    }

    @Test func theCuesThatShowACodeNameTheirFault() {
        #expect(Cue.stopped(.battery).fault == .battery)
        #expect(Cue.notReady.fault == .microphone)
        #expect(Cue.outboxFull.fault == .outboxFull)
        #expect(Cue.kept.fault == nil)
    }

    @Test func aStartOnItsWayIsAStageOfItsOwn() {
        var turn = VoiceTurn()
        turn.halt("no reply")
        #expect(Gesture.Stage(of: turn) == .stopped)
        let token = turn.begin()
        #expect(Gesture.Stage(of: turn) == .starting)
        if let token { _ = turn.audioUp(token) }
        #expect(Gesture.Stage(of: turn) == .listening)
        turn.sent(UtteranceID("a"))
        #expect(Gesture.Stage(of: turn) == .thinking)
        turn.replyPlaying(UtteranceID("a"))
        #expect(Gesture.Stage(of: turn) == .speaking)
        turn.stop()
        #expect(Gesture.Stage(of: turn) == .off)
    }
}
