import EndOfSpeech
import Testing

@Suite struct ReferenceRuleTests {
    // MARK: - The room

    @Test(
        arguments: [
            ([-50, -40, -60, -45, -55], -50), ([-60, -60, -60, -20, -20], -60),
            ([-20, -20, -60, -20, -60], -20),
        ] as [([Double], Double)])
    func floorIsTheMedianOfTheFirstFiveReadings(levels: [Double], floor: Double) {
        var rule = EndOfSpeech()
        for (index, level) in levels.enumerated() {
            #expect(rule.floor == nil && rule.threshold == nil)
            _ = rule.feed(level, at: Double(index + 1) / 10)
        }
        #expect(rule.floor == floor)
    }

    @Test func noneOfTheFirstFiveReadingsIsSpeech() {
        var rule = EndOfSpeech()
        let drawing = Timeline("#####").judgements(&rule)
        #expect(drawing == "ccccc")
        #expect(rule.speechSeconds == 0 && !rule.hasSpoken)
    }

    // MARK: - What is speech

    @Test(arguments: [(-30.0, -20.0), (-54.9, -44.9), (-55, -45), (-60, -45), (-120, -45)])
    func thresholdIsTenDecibelsOverTheFloorAndNeverUnderTheGate(floor: Double, threshold: Double) {
        var rule = calibrated(floor: floor)
        #expect(rule.threshold == threshold)
        _ = rule.feed(threshold, at: 0.6)
        #expect(rule.lastJudgement == .quiet)
        rule = calibrated(floor: floor)
        _ = rule.feed(threshold + 0.001, at: 0.6)
        #expect(rule.lastWasSpeech)
    }

    @Test func quietReadingPullsTheFloorByATwentieth() {
        var rule = calibrated(floor: -60)
        _ = rule.feed(-50, at: 0.6)
        #expect(rule.floor == 0.95 * -60 + 0.05 * -50)
    }

    @Test func speechLeavesTheFloorAlone() {
        var rule = calibrated(floor: -60)
        _ = rule.feed(-10, at: 0.6)
        #expect(rule.floor == -60)
    }

    @Test func floorIsPulledUpUntilASteadyNoiseIsQuiet() {
        var rule = calibrated(floor: -80)
        // −46 is under the gate and pulls the floor; 10 dB above that floor the threshold has left the gate.
        for k in 6...200 { _ = rule.feed(-46, at: Double(k) / 10) }
        let threshold = rule.threshold ?? 0
        #expect(threshold > -36.1 && threshold < -36)
    }

    // MARK: - How much of it

    @Test func speechReadingAddsTheTimeSinceTheReadingBefore() {
        var rule = calibrated(floor: -60)
        _ = rule.feed(-20, at: 0.75)
        #expect(abs(rule.speechSeconds - 0.25) < 1e-12)
        _ = rule.feed(-60, at: 1.75)
        _ = rule.feed(-20, at: 1.8)
        #expect(abs(rule.speechSeconds - 0.3) < 1e-12)
    }

    @Test func lastReadingOfTheCalibrationIsAReadingBefore() {
        var rule = calibrated(floor: -60)
        _ = rule.feed(-20, at: 0.6)
        #expect(abs(rule.speechSeconds - 0.1) < 1e-12)
    }

    @Test(arguments: [0.5, 0.4, -7])
    func timeThatIsNotLaterAddsNothing(seconds: Double) {
        var rule = calibrated(floor: -60)
        _ = rule.feed(-20, at: seconds)
        #expect(rule.speechSeconds == 0)
        #expect(rule.lastWasSpeech)
    }

    @Test func timeThatGoesBackIsTheNextOnesBefore() {
        var rule = calibrated(floor: -60)
        _ = rule.feed(-60, at: 0.2)
        _ = rule.feed(-20, at: 0.6)
        #expect(abs(rule.speechSeconds - 0.4) < 1e-12)
    }

    @Test func timeThatDoesNotAdvanceStillCalibrates() {
        var rule = EndOfSpeech()
        for _ in 0..<5 { _ = rule.feed(-60, at: 1) }
        #expect(rule.floor == -60)
    }

    @Test(arguments: [(3, false), (4, true), (5, true)])
    func fourTenthsOfASecondAreEnoughToSend(readings: Int, enough: Bool) {
        var rule = EndOfSpeech()
        _ = Timeline("....." + String(repeating: "#", count: readings) + ".").ends(&rule)
        #expect(rule.enoughToSend == enough)
    }

    /// Four steps of 0.1 s do not always add up to 0.4.
    @Test(arguments: 0..<40) func fourTenthsAreEnoughWheneverTheyCome(lead: Int) {
        var rule = EndOfSpeech()
        _ = Timeline("....." + String(repeating: ".", count: lead) + "####").ends(&rule)
        #expect(rule.enoughToSend)
    }

    // MARK: - The end

    @Test func endIsThreeSecondsAfterTheLastSpeech() {
        var rule = EndOfSpeech()
        let ends = Timeline("..... .. #### .............................. .....").ends(&rule)
        #expect(ends == [41])
        #expect(rule.end == EndOfSpeech.End(seconds: 4.1, reason: .hangover))
    }

    @Test func pauseShorterThanThreeSecondsEndsNothing() {
        var rule = EndOfSpeech()
        let ends = Timeline("..... # ............................. # .............................").ends(
            &rule)
        #expect(ends.isEmpty && rule.end == nil)
    }

    @Test func noSpeechNoEnd() {
        var rule = EndOfSpeech()
        let ends = Timeline(String(repeating: ".", count: 1000)).ends(&rule)
        #expect(ends.isEmpty && !rule.hasSpoken)
    }

    @Test func tooLittleSpeechEndsAllTheSame() {
        var rule = EndOfSpeech()
        let ends = Timeline("..... # " + String(repeating: ".", count: 30)).ends(&rule)
        #expect(ends == [36] && !rule.enoughToSend)
    }

    @Test func clockThatSumsTenthsMayFallAMillisecondShort() {
        for (gap, ends) in [(2.9985, false), (2.9991, true), (3, true)] {
            var rule = calibrated(floor: -60)
            _ = rule.feed(-20, at: 0.6)
            let end = rule.feed(-60, at: 0.6 + gap)
            #expect(end == ends, "after \(gap) s")
        }
    }

    @Test func speechThatComesLateIsSpeechAndNoEnd() {
        var rule = calibrated(floor: -60)
        _ = rule.feed(-20, at: 0.6)
        let end = rule.feed(-20, at: 9)
        #expect(!end && rule.lastWasSpeech)
    }

    @Test func endReadingPullsTheFloorToo() {
        var rule = calibrated(floor: -60)
        _ = rule.feed(-20, at: 0.6)
        _ = rule.feed(-50, at: 3.6)
        #expect(rule.floor == 0.95 * -60 + 0.05 * -50)
    }

    @Test func everyLongPauseIsAnEndOnce() {
        var rule = EndOfSpeech()
        let pause = String(repeating: ".", count: 50)
        let ends = Timeline("..... #####" + pause + "#####" + pause).ends(&rule)
        #expect(ends == [40, 95])
        #expect(abs(rule.speechSeconds - 1) < 1e-9)
    }

    // MARK: - What is not a reading

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func readingThatIsNotFiniteChangesNothing(level: Double) {
        var rule = calibrated(floor: -60)
        _ = rule.feed(-20, at: 0.6)
        var other = rule
        let end = other.feed(level, at: 9)
        #expect(!end && other.lastJudgement == .ignored)
        _ = rule.feed(-20, at: 0.8)
        _ = other.feed(-20, at: 0.8)
        #expect(other == rule)
    }

    @Test func readingThatIsNotFiniteDoesNotCalibrate() {
        var rule = EndOfSpeech()
        let drawing = Timeline("..x..x.#", with: ["x": -.infinity]).judgements(&rule)
        #expect(drawing == "cc?cc?c#")
    }

    @Test func timeThatIsNotFiniteIsIgnored() {
        var rule = calibrated(floor: -60)
        let before = rule.speechSeconds
        _ = rule.feed(-20, at: .nan)
        #expect(rule.speechSeconds == before && rule.lastJudgement == .ignored)
    }

    // MARK: - Other figures

    @Test func replayUsesOtherFigures() {
        var quick = EndOfSpeech(parameters: EndOfSpeech.Parameters(hangover: 2))
        let ends = Timeline("..... #### " + String(repeating: ".", count: 40)).ends(&quick)
        #expect(ends == [29])
        #expect(quick.parameters["hangover_s"] == 2)
    }

    @Test func manifestNamesTheReferenceFigures() {
        #expect(
            EndOfSpeech().parameters == [
                "hangover_s": 3, "margin_db": 10, "gate_db": -45, "calibration": 5, "adapt": 0.05,
                "min_speech_s": 0.4,
            ])
        #expect(EndOfSpeech().rule.rawValue == "reference")
    }

    @Test func observationsAndLevelsAreJudgedAlike() {
        var level = calibrated(floor: -60)
        var observed = level
        _ = level.feed(-20, at: 0.6)
        _ = observed.feed(
            Observation(dbfs: -20, seconds: 0.6, frames: SpeechFrames((255, 255, 255, 255, 255))))
        #expect(level == observed)
    }

    private func calibrated(floor: Double) -> EndOfSpeech {
        var rule = EndOfSpeech()
        for k in 1...5 { _ = rule.feed(floor, at: Double(k) / 10) }
        return rule
    }
}
