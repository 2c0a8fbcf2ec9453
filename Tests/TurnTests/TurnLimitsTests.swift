import Testing

@testable import Turn

@Suite("Limits")
struct TurnLimitsTests {
    /// Expiries with their seconds, the limits being woken at their own deadlines.
    private func told(_ limits: inout TurnLimits, until end: Duration = .seconds(100_000)) -> [String] {
        var told: [String] = []
        while let due = limits.deadline, due <= end {
            for expiry in limits.advance(to: due) { told.append("\(expiry)@\(due.milliseconds / 1000)") }
        }
        return told
    }

    private static let countdown = (1...5).reversed().map { "countdown(secondsLeft: \($0))" }

    @Test(arguments: Gesture.Stage.allCases, Gesture.Mode.allCases)
    func everyStageHasAWayOut(stage: Gesture.Stage, mode: Gesture.Mode) {
        var limits = TurnLimits()
        limits.entered(stage, mode: mode, at: .zero)
        let ticks = { (end: Int) in zip(Self.countdown, (end - 5)..<end).map { "\($0)@\($1)" } }
        let expected: [String] =
            switch (stage, mode) {
            case (.off, _), (.stopped, _): []
            case (.starting, _): ["startOverdue@2"]
            case (.listening, .press): ["nothingHeard@10"]
            case (.listening, .hold): ticks(120) + ["longestReached@120"]
            case (.listening, .memo): ticks(14_400) + ["longestReached@14400"]
            case (.thinking, _): ["notStored@5", "noReply@60"]
            case (.speaking, _): ["replyOverdue@10"]
            }
        #expect(told(&limits) == expected)
        #expect(limits.deadline == nil)
    }

    @Test func onceSpeechWasHeardSilenceIsNoLimit() {
        var limits = TurnLimits()
        limits.entered(.listening, mode: .press, at: .zero)
        limits.speechHeard()
        let told = told(&limits)
        #expect(told.first == "countdown(secondsLeft: 5)@115")
        #expect(told.last == "longestReached@120")
    }

    @Test func aReceiptLeavesOnlyTheWaitForTheReply() {
        var limits = TurnLimits()
        limits.entered(.thinking, mode: .press, at: .zero)
        limits.storedOnHost(at: .seconds(3))
        #expect(told(&limits) == ["noReply@63"])
    }

    @Test func aSignOfLifeProlongsTheWait() {
        var limits = TurnLimits()
        limits.entered(.thinking, mode: .press, at: .zero)
        limits.storedOnHost(at: .seconds(1))
        let before = told(&limits, until: .seconds(50))
        limits.signOfLife(at: .seconds(50))
        #expect(before.isEmpty)
        #expect(told(&limits) == ["noReply@110"])
    }

    @Test func aReplyMayLastItsOwnLengthAndTenSeconds() {
        var limits = TurnLimits()
        limits.entered(.speaking, mode: .press, at: .zero)
        limits.replyLength(.seconds(30), at: .seconds(1))
        #expect(told(&limits) == ["replyOverdue@41"])
    }

    @Test func aStageThatWasLeftHasNoLimit() {
        var limits = TurnLimits()
        limits.entered(.starting, mode: .press, at: .zero)
        limits.entered(.off, mode: .press, at: .seconds(1))
        let expiries = limits.advance(to: .seconds(500))
        #expect(expiries.isEmpty)
    }

    @Test func whatComesForAnotherStageIsNothing() {
        var limits = TurnLimits()
        limits.entered(.starting, mode: .press, at: .zero)
        let before = limits
        limits.speechHeard()
        limits.storedOnHost(at: .seconds(1))
        limits.signOfLife(at: .seconds(1))
        limits.replyLength(.seconds(9), at: .seconds(1))
        #expect(limits == before)
    }

    @Test func aLateAdvanceTellsEverythingInOrder() {
        var settings = TurnLimits.Settings()
        settings.longest = .seconds(3)
        var limits = TurnLimits(settings)
        limits.entered(.listening, mode: .hold, at: .zero)
        let expiries = limits.advance(to: .seconds(60))
        #expect(expiries == [.countdown(secondsLeft: 2), .countdown(secondsLeft: 1), .longestReached])
    }

    @Test(arguments: [(0, 0), (1, 0), (2, 1), (6, 5), (7, 5)])
    func noTickFallsOnTheOpening(longest: Int, ticks: Int) {
        var settings = TurnLimits.Settings()
        settings.longest = .seconds(longest)
        var limits = TurnLimits(settings)
        limits.entered(.listening, mode: .hold, at: .zero)
        #expect(told(&limits).count == ticks + 1)
    }
}
