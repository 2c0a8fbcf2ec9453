import Testing

@testable import Turn

/// Lines drawn at 10 ms a character; actions with their milliseconds.
@Suite("Gestures in time")
struct GestureTests {
    private func press(_ count: Int) -> String { String(repeating: "#", count: count) }
    private func rest(_ count: Int) -> String { String(repeating: ".", count: count) }

    /// A bench whose turn is in a stage, at 10 s; times are told from there.
    private func bench(
        _ stage: Gesture.Stage, _ mode: Gesture.Mode = .press, startTakes: Int = 50
    ) -> GestureBench {
        var bench = GestureBench(mode)
        bench.startTakes = .milliseconds(startTakes)
        bench.enter(stage)
        bench.run(to: .seconds(10))
        return bench
    }

    private func told(_ bench: GestureBench) -> String {
        #expect(bench.stale.isEmpty, "\(bench.stale)")
        return bench.drawn(times: true, from: .seconds(10))
    }

    @Test func theOpeningPressActsAtItsEdge() {
        var bench = bench(.off)
        bench.draw("####....")
        #expect(told(bench) == "begin@0")
    }

    @Test func inListeningAnEdgeActsOnceConfirmedAndTheFileWaitsForTheRelease() {
        var bench = bench(.listening)
        bench.draw("####....")
        #expect(told(bench) == "closeAndWait@10 commit@50")
    }

    @Test(arguments: [
        // Let go at 1.49 s: kept, though the release is known only at 1.50 s.
        (149, "closeAndWait@10 commit@1500"),
        // Let go at 1.50 s: dropped.
        (150, "closeAndWait@10 discard@1510"),
        (200, "closeAndWait@10 discard@1510"),
    ])
    func theReleasesOwnStampDecidesALongPress(held: Int, expected: String) {
        var bench = bench(.listening)
        bench.draw(press(held) + rest(10))
        #expect(told(bench) == expected)
    }

    @Test(arguments: [
        (59, "begin@0"),
        (60, "begin@0 endUtterance@610"),
        (61, "begin@0 pushToTalk@610 endUtterance@620"),
        (300, "begin@0 pushToTalk@610 endUtterance@3010"),
    ])
    func anOpeningPressOf600MillisecondsIsPushToTalk(held: Int, expected: String) {
        var bench = bench(.off)
        bench.draw(press(held) + rest(10))
        #expect(told(bench) == expected)
    }

    @Test(arguments: [(29, "begin@0 discard@300"), (30, "begin@0 endUtterance@310")])
    func aHoldShorterThan300MillisecondsIsASlip(held: Int, expected: String) {
        var bench = bench(.off, .hold)
        bench.draw(press(held) + rest(10))
        #expect(told(bench) == expected)
    }

    @Test(arguments: [Gesture.Mode.hold, .press])
    func aReleaseBeforeTheMicrophoneIsOpenClosesItAudibly(mode: Gesture.Mode) {
        var bench = bench(.off, mode, startTakes: 1500)
        bench.draw(press(90) + rest(100))
        #expect(bench.drawn() == (mode == .hold ? "begin discard" : "begin pushToTalk discard"))
        #expect(!bench.turn.micOpen)
        #expect(bench.utterances == 0)
    }

    @Test func aSecondEdgeWithin350MillisecondsReplaysTheLastReply() {
        var bench = bench(.off)
        bench.draw("########..........######......")
        #expect(told(bench) == "begin@0 endUtterance@190 replayLastReply@190")
    }

    @Test func aSecondEdgeWhileStartingReplaysTheLastReplyAtOnce() {
        var bench = bench(.off, startTakes: 500)
        bench.draw("########..........######......")
        #expect(told(bench) == "begin@0 stopStart@180 replayLastReply@180")
    }

    @Test func aSecondEdgeAfter350MillisecondsOnlyEndsTheTurn() {
        var bench = bench(.off)
        bench.draw(press(10) + rest(25) + press(6) + rest(6))
        #expect(told(bench) == "begin@0 closeAndWait@360 commit@420")
    }

    @Test(arguments: [Gesture.Mode.hold, .memo])
    func aDoublePressIsOnlyForModePress(mode: Gesture.Mode) {
        var bench = bench(.off, mode)
        bench.draw("########..........######......")
        #expect(!bench.drawn().contains("replayLastReply"))
    }

    @Test func aDoublePressThatBeganWithAStoppedReplyIsNone() {
        var bench = bench(.speaking)
        bench.draw("########..........######......")
        #expect(told(bench) == "stopReply@10 blink@190")
    }

    @Test(arguments: [(35, "stopReply@10 blink@360"), (36, "stopReply@10 begin@360")])
    func anEdgeWithin350MillisecondsAfterAStoppedReplyOnlyBlinks(gap: Int, expected: String) {
        var bench = bench(.speaking)
        bench.draw(press(5) + rest(gap - 5) + press(5) + rest(5))
        #expect(told(bench) == expected)
    }

    @Test(arguments: [
        (70, true, "blink@710"), (71, true, "blink@720"), (70, false, "blink@710"), (71, false, "begin@710"),
    ])
    func anEdgeWithin700MillisecondsAfterTheMicrophoneClosedByItselfOnlyBlinks(
        gap: Int, replyExpected: Bool, expected: String
    ) {
        var bench = bench(.listening)
        bench.closeByItself(replyExpected: replyExpected)
        bench.draw(rest(gap) + press(5) + rest(5))
        #expect(told(bench) == expected)
    }

    @Test func withinThose700MillisecondsALongPressCancelsNothing() {
        var bench = bench(.listening)
        bench.closeByItself(replyExpected: true)
        bench.draw(rest(30) + press(300) + rest(5))
        #expect(told(bench) == "blink@310")
    }

    @Test func anEdgeThatMeetsTheMicrophonesOwnCloseOnlyBlinks() {
        var bench = bench(.listening)
        bench.draw("######", step: .milliseconds(1))
        bench.closeByItself(replyExpected: true)
        bench.draw("####################....................", step: .milliseconds(10))
        #expect(bench.drawn() == "blink")
        #expect(bench.stale.isEmpty)
    }

    @Test func theMicrophonesOwnCloseIsBelievedBeforeTheTurnShowsIt() {
        var gesture = Gesture(mode: .press, pressWhileThinking: .nothing)
        let pressed = gesture.handle(.pressed(at: .seconds(10)), stage: .listening)
        gesture.microphoneClosedByItself(at: .milliseconds(10_005))
        let confirmed = gesture.handle(
            .confirmed(pressedAt: .seconds(10), at: .milliseconds(10_010)), stage: .listening)
        #expect(pressed.isEmpty)
        #expect(confirmed == [.blink])
    }

    @Test func pushToTalkEndsWithTheMicrophone() {
        var bench = bench(.off)
        bench.draw(press(100))
        bench.closeByItself(replyExpected: true)
        bench.draw(rest(100))
        #expect(told(bench) == "begin@0 pushToTalk@610")
    }

    @Test func aTurnThatWasStoppedMeanwhileIsNeverDiscarded() {
        var bench = bench(.listening)
        bench.draw(press(20))
        bench.halt()
        bench.draw(press(300) + rest(10))
        #expect(bench.drawn() == "closeAndWait commit")
        #expect(bench.discarded == 0)
    }

    @Test func theWaitThatEndedMeanwhileIsNotCancelled() {
        var bench = bench(.thinking)
        bench.draw(press(100))
        bench.replyPlays()
        bench.draw(press(100) + rest(10))
        #expect(told(bench) == "blink@10")
    }

    @Test func aReplyThatEndedUnderTheThumbBeginsNothing() {
        var bench = bench(.speaking)
        bench.draw("######", step: .milliseconds(1))
        bench.replyEnds()
        bench.draw("####################....................", step: .milliseconds(10))
        #expect(bench.drawn() == "blink")
    }

    @Test func aFaultOfTheLineKeepsTheWaitingFile() {
        var bench = bench(.listening)
        bench.draw(press(20))
        bench.fault()
        bench.draw(press(300) + rest(10))
        #expect(bench.drawn() == "closeAndWait commit")
    }

    @Test func aMemosOpeningPressMayBeHeldForEver() {
        var bench = bench(.off, .memo)
        bench.draw(press(1000) + rest(10) + press(5) + rest(5))
        #expect(told(bench) == "begin@0 endUtterance@10110")
    }

    @Test func anIdleGestureHasNoDeadline() {
        var bench = bench(.listening)
        bench.draw("####....")
        #expect(bench.gesture.deadline == nil)
    }
}
