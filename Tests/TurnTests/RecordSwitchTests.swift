import Testing

@testable import Turn

@Suite("RecordSwitch, step by step")
struct RecordSwitchTests {
    private let first = VoiceTurn.Token(generation: 1)
    private let second = VoiceTurn.Token(generation: 2)

    /// A switch whose `open` is in flight for the first token.
    private func opening() -> RecordSwitch {
        var machine = RecordSwitch()
        _ = machine.want(.open(first))
        return machine
    }

    private func reading() -> RecordSwitch {
        var machine = opening()
        for step in [RecordSwitch.Step.open, .configure, .start] { _ = machine.stepDone(step) }
        _ = machine.presented(accepted: true)
        return machine
    }

    @Test func wantedChangesAtOnceAndRealWhenTheTurnConsents() {
        var machine = opening()
        #expect(machine.wanted == .open(first))
        #expect(machine.asked == .open(first))
        #expect(machine.real == .closed)
        let configure = machine.stepDone(.open)
        let start = machine.stepDone(.configure)
        let present = machine.stepDone(.start)
        let read = machine.presented(accepted: true)
        #expect(
            [configure, start, present, read] == [
                [.perform(.configure)], [.perform(.start)], [.present(first)], [.perform(.read)],
            ])
        #expect(machine.real == .open)
        #expect(!machine.busy)
        #expect(machine.asked == nil)
    }

    @Test(arguments: [RecordSwitch.Step.open, .configure, .start])
    func aStartUnwantedAtAnyStepIsUndoneByOneClose(step: RecordSwitch.Step) {
        var machine = opening()
        for done in [RecordSwitch.Step.open, .configure, .start].prefix(while: { $0 != step }) {
            _ = machine.stepDone(done)
        }
        let atOnce = machine.want(.closed)
        let undo = machine.stepDone(step)
        let after = machine.stepDone(.close)
        #expect(atOnce.isEmpty)
        #expect(undo == [.perform(.close)])
        #expect(after.isEmpty)
        #expect(machine.asked == nil)
        #expect(machine.real == .closed)
    }

    @Test func aStartWantedAgainGoesOnAndPresentsTheNewestToken() {
        var machine = opening()
        _ = machine.want(.closed)
        let again = machine.want(.open(second))
        let configure = machine.stepDone(.open)
        _ = machine.stepDone(.configure)
        let present = machine.stepDone(.start)
        #expect(again.isEmpty)
        #expect(configure == [.perform(.configure)])
        #expect(present == [.present(second)])
    }

    /// In each state of a start and of its undoing, the answers to every step that is not the one in flight.
    @Test(arguments: RecordSwitch.Step.allCases) func anAnswerToAStepThatIsNotInFlightChangesNothing(
        inFlight: RecordSwitch.Step
    ) {
        var machine = opening()
        for step in RecordSwitch.Step.allCases.prefix(while: { $0 != inFlight }) {
            _ = machine.stepDone(step)
            if step == .start { _ = machine.presented(accepted: true) }
        }
        if inFlight == .close { _ = machine.want(.closed) }
        let before = machine
        for step in RecordSwitch.Step.allCases where step != inFlight {
            let done = machine.stepDone(step)
            let failed = machine.stepFailed(step, reason: "late")
            #expect(done.isEmpty && failed.isEmpty && machine == before)
        }
    }

    @Test func whatIsAlreadyRealCostsNothing() {
        var machine = reading()
        let again = machine.want(.open(first))
        #expect(again.isEmpty)
        #expect(!machine.busy)
    }

    @Test func aNewerTokenIsNeverReadOnAnOlderTurnsCard() {
        var machine = reading()
        let close = machine.want(.open(second))
        let open = machine.stepDone(.close)
        #expect(close == [.perform(.close)])
        #expect(open == [.perform(.open)])
    }

    @Test func aRefusedTokenClosesTheCardUnreadAndIsNotWantedOn() {
        var machine = opening()
        for step in [RecordSwitch.Step.open, .configure, .start] { _ = machine.stepDone(step) }
        let close = machine.presented(accepted: false)
        let after = machine.stepDone(.close)
        #expect(close == [.perform(.close)])
        #expect(after.isEmpty)
        #expect(machine.wanted == .closed)
    }

    @Test func aConsentThatComesAfterTheWishIsGoneClosesTheCardUnread() {
        var machine = opening()
        for step in [RecordSwitch.Step.open, .configure, .start] { _ = machine.stepDone(step) }
        let atOnce = machine.want(.closed)
        let close = machine.presented(accepted: true)
        #expect(atOnce.isEmpty)
        #expect(close == [.perform(.close)])
        #expect(machine.real == .closed)
    }

    @Test func anOpeningDuringTheCloseWaitsForIt() {
        var machine = reading()
        _ = machine.want(.closed)
        let atOnce = machine.want(.open(second))
        #expect(machine.real == .open)
        let open = machine.stepDone(.close)
        #expect(atOnce.isEmpty)
        #expect(open == [.perform(.open)])
        #expect(machine.asked == .open(second))
    }

    @Test(arguments: [RecordSwitch.Step.open, .configure, .start])
    func aFailedStartIsReportedOnceAndNoLongerWanted(step: RecordSwitch.Step) {
        var machine = opening()
        for done in [RecordSwitch.Step.open, .configure, .start].prefix(while: { $0 != step }) {
            _ = machine.stepDone(done)
        }
        let failed = machine.stepFailed(step, reason: "busy")
        #expect(failed == [.startFailed(first, reason: "busy")])
        #expect(machine.wanted == .closed)
        #expect(!machine.busy)
    }

    @Test func aFailedStartBeginsAgainForANewerTokenOnce() {
        var machine = opening()
        _ = machine.want(.closed)
        _ = machine.want(.open(second))
        let again = machine.stepFailed(.open, reason: "busy")
        let failed = machine.stepFailed(.open, reason: "busy")
        #expect(again == [.perform(.open)])
        #expect(failed == [.startFailed(second, reason: "busy")])
    }

    @Test func aFailedStartThatNobodyWantsIsSilent() {
        var machine = opening()
        _ = machine.want(.closed)
        let failed = machine.stepFailed(.open, reason: "busy")
        #expect(failed.isEmpty)
        #expect(machine.asked == nil)
    }

    @Test func aCloseThatFailsIsOver() {
        var machine = reading()
        _ = machine.want(.closed)
        let failed = machine.stepFailed(.close, reason: "gone")
        #expect(failed.isEmpty)
        #expect(machine.real == .closed)
        #expect(!machine.busy)
    }

    @Test func aReadThatEndsClosedIsNoLongerWanted() {
        var machine = reading()
        let failed = machine.stepFailed(.read, reason: "gone")
        #expect(failed.isEmpty)
        #expect(machine.real == .closed)
        #expect(machine.wanted == .closed)
    }

    @Test(arguments: RecordSwitch.Step.allCases)
    func anAnswerThatNobodyAskedForChangesNothing(step: RecordSwitch.Step) {
        var machine = RecordSwitch()
        let done = machine.stepDone(step)
        let failed = machine.stepFailed(step, reason: "late")
        let presented = machine.presented(accepted: true)
        #expect(done.isEmpty && failed.isEmpty && presented.isEmpty)
        #expect(machine == RecordSwitch())
    }
}
