import Hardware
import Testing
import Turn

@testable import DeviceMachine

@Suite("The card's watch")
struct CardWatchTests {
    private var card = CardWatch()
    private var turn = VoiceTurn()
    private let limit = Duration.seconds(10)

    private mutating func wantOpen(at now: Duration) throws -> VoiceTurn.Token {
        let begun = turn.begin()
        let token = try #require(begun)
        let asked = card.want(.open(token), at: now)
        #expect(asked == [.perform(.open)])
        return token
    }

    /// Brings the card to where it is read.
    private mutating func read(from now: Duration) throws {
        let token = try wantOpen(at: now)
        _ = card.done(.open, at: now)
        _ = card.done(.configure, at: now)
        let started = card.done(.start, at: now)
        let accepted = card.presented(accepted: true, at: now)
        #expect(started == [.present(token)] && accepted == [.perform(.read)])
    }

    @Test func aCardAtRestNeverHangs() {
        #expect(card.isAtRest && !card.hangs(at: .seconds(1_000_000), limit: limit))
    }

    @Test mutating func aStepThatIsNotAnsweredHangsWhenItsTimeIsOver() throws {
        _ = try wantOpen(at: .seconds(5))
        #expect(!card.isAtRest)
        #expect(!card.hangs(at: .seconds(15), limit: limit))
        #expect(card.hangs(at: .milliseconds(15_001), limit: limit))
    }

    @Test mutating func eachAnswerGivesTheNextStepItsOwnTime() throws {
        _ = try wantOpen(at: .zero)
        let opened = card.done(.open, at: .seconds(9))
        #expect(opened == [.perform(.configure)])
        #expect(!card.hangs(at: .seconds(19), limit: limit))
        #expect(card.hangs(at: .milliseconds(19_001), limit: limit))
    }

    @Test mutating func readingForHoursIsNoHanging() throws {
        try read(from: .zero)
        #expect(!card.isAtRest && !card.hangs(at: .seconds(4 * 3600), limit: limit))
        let closing = card.want(.closed, at: .seconds(4 * 3600))
        #expect(closing == [.perform(.close)])
        #expect(!card.hangs(at: .seconds(4 * 3600), limit: limit))
        #expect(card.hangs(at: .seconds(4 * 3600 + 11), limit: limit))
        let closed = card.done(.close, at: .seconds(4 * 3600 + 12))
        #expect(closed == [] && card.isAtRest)
    }

    @Test mutating func aFailedStepLeavesItAtRest() throws {
        let token = try wantOpen(at: .zero)
        let fault = MicrophoneFault.missing(device: "mic")
        let failed = card.failed(.open, fault, at: .seconds(1))
        #expect(failed == [.startFailed(token, reason: fault.description)])
        #expect(card.isAtRest && !card.hangs(at: .seconds(60), limit: limit))
    }

    @Test(arguments: MicrophoneStep.allCases)
    func aStepHasOneNameOnEachSide(step: MicrophoneStep) {
        #expect(MicrophoneStep(RecordSwitch.Step(step)) == step)
    }
}
