import AllocationCount
import Testing

@testable import EndOfSpeech

/// Readings drawn as strings, 100 ms a character: `#` sure speech, `.` none, `?` something that might have been
/// speech, `+` speech that is not certain, digits: so many frames of speech at the reading's start.
private func readings(_ drawing: String) -> [SpeechFrames] {
    drawing.filter { $0 != " " }.map { character in
        switch character {
        case "#": SpeechFrames((255, 255, 255, 255, 255), floor: -60)
        case "?": SpeechFrames((40, 40, 40, 40, 40), floor: -60)
        case "+": SpeechFrames((200, 200, 200, 200, 200), floor: -60)
        default:
            SpeechFrames(
                speaking: character.wholeNumberValue ?? 0, floor: -60)
        }
    }
}

extension SpeechFrames {
    fileprivate init(speaking count: Int, floor: Double) {
        self.init((0, 0, 0, 0, 0), floor: floor)
        for frame in 0..<min(count, 5) { self[frame] = 255 }
    }
}

extension EndOfSpeech {
    /// The times, in tenths of a second, at which it said "end"; the first reading is stamped 0.1 s.
    fileprivate mutating func ends(_ drawing: String) -> [Int] {
        var ends: [Int] = []
        for (index, frames) in readings(drawing).enumerated()
        where feed(Observation(dbfs: -30, seconds: Double(index + 1) / 10, frames: frames)) {
            ends.append(index + 1)
        }
        return ends
    }
}

@Suite struct LapelRuleTests {
    private let quiet = String(repeating: ".", count: 40)
    private var rule = EndOfSpeech(parameters: .init(lag: 0))
    private var quick: EndOfSpeech {
        var parameters = EndOfSpeech.LapelParameters(patience: .quick)
        (parameters.hangover, parameters.slow, parameters.doubt, parameters.lag) = (1, 2.4, 0.05, 0)
        return EndOfSpeech(parameters: parameters)
    }

    /// A rule that asks for certainty, whatever the shipped figures are.
    private var seldomCertain: EndOfSpeech {
        EndOfSpeech(
            parameters: .init(
                certain: 0.948, share: 0.2, uncertain: 125, uncertainShare: 0.18, word: 40, lag: 0))
    }

    @Test mutating func threeSecondsAfterTheLastWordItEnds() {
        let ends = rule.ends("..####..##" + quiet)
        #expect(ends == [40])
        #expect(rule.end == EndOfSpeech.End(seconds: 4, reason: .hangover))
        #expect(rule.enoughToSend && abs(rule.speechSeconds - 0.6) < 1e-9)
    }

    @Test mutating func whoTalksAlreadyAtThePressIsHeard() {
        let ends = rule.ends("####" + quiet)
        #expect(ends == [34])
    }

    @Test mutating func theLagOfTheNetworkIsTakenOff() {
        rule = EndOfSpeech(parameters: .init(lag: 5))
        let ends = rule.ends("####" + quiet)
        #expect(ends == [33])
    }

    @Test(arguments: [("##2", 1), ("##1", 0), ("2.2.2.2.2.2", 1), ("1.1.1.1.1.1.1.1.1.1.1.1.1", 0), ("3", 0)])
    func twelveSureFramesAreSpeech(drawing: String, count: Int) {
        // The first frame of a run does not confirm.
        var rule = EndOfSpeech(parameters: .init(confirm: drawing.hasPrefix("2.") ? 6 : 11, lag: 0))
        let ends = rule.ends(drawing + quiet)
        #expect(ends.count == count && rule.enoughToSend == (count == 1))
    }

    @Test func aVoiceThatIsNeverCertainIsNotSent() {
        var rule = seldomCertain
        let ends = rule.ends("++++++++++" + quiet)
        #expect(ends == [] && !rule.enoughToSend && rule.lastJudgement == .quiet)
    }

    /// Eight readings of speech are 39 frames, nine 44.
    @Test(arguments: [
        ("++", 0, []), ("+++", 0, [33]), ("++++++++", 0, [38]), ("+++++++++", 0, []), ("+++", 9, []),
    ])
    func aWordNeedsNoCertainFrameWhenQuietFollowsIt(word: String, later: Int, expected: [Int]) {
        var rule = seldomCertain
        let talk = word + (later > 0 ? String(repeating: ".", count: 10) : "")
        let ends = rule.ends(talk + String(repeating: "+", count: later) + quiet)
        #expect(ends == expected && rule.enoughToSend == !expected.isEmpty)
    }

    @Test func quickWaitsAfterAnUncertainWord() {
        var rule = quick
        let ends = rule.ends("+++" + quiet)
        #expect(ends == [27] && rule.end?.reason == .doubtfulHangover)
    }

    /// 25 readings are 125 frames that are not certain. Of four certain readings 19 frames are speech, of six 29.
    @Test(arguments: [("####", 24, [58]), ("####", 25, []), ("######", 25, [61]), ("######", 40, [])])
    func speechThatGoesOnAndIsSeldomCertainIsTakenBack(wearer: String, readings: Int, expected: [Int]) {
        var rule = seldomCertain
        let ends = rule.ends(wearer + String(repeating: "+", count: readings) + quiet)
        #expect(ends == expected && rule.enoughToSend == !expected.isEmpty)
    }

    @Test func afterBabbleWhoSpeaksClearlyIsHeard() {
        var rule = seldomCertain
        let ends = rule.ends("####" + String(repeating: "+", count: 25) + "##" + quiet)
        #expect(ends == [61] && rule.enoughToSend)
    }

    @Test func babbleAfterAnEndTakesNothingBack() {
        var rule = seldomCertain
        _ = rule.ends("####" + quiet + String(repeating: "+", count: 40))
        #expect(rule.hasSpoken && rule.enoughToSend)
    }

    @Test mutating func aSlamNeverEndsAnything() {
        let ends = rule.ends("....3......3......" + quiet)
        #expect(ends == [] && !rule.hasSpoken && !rule.enoughToSend)
    }

    @Test mutating func aSlamInTheTailMovesTheEndByNoMoreThanItself() {
        let ends = rule.ends("####.........1" + quiet)
        #expect(ends == [34])  // one frame is no speech
    }

    @Test func quickEndsAsSoonAsNothingIsDoubtful() {
        var rule = quick
        let ends = rule.ends("####" + quiet)
        #expect(ends == [14] && rule.end?.reason == .quickHangover)
    }

    @Test func quickWaitsWherePausesAreDoubtful() {
        var rule = quick
        let ends = rule.ends("####.....?" + quiet)
        #expect(ends == [28] && rule.end?.reason == .doubtfulHangover)
    }

    @Test func theEchoOfTheLastWordIsNoDoubt() {
        var rule = quick
        let ends = rule.ends("####?????" + quiet)  // within 25 frames
        #expect(ends == [14])
    }

    @Test mutating func everyPauseIsAnEndOnce() {
        let ends = rule.ends("####" + quiet + "####" + quiet)
        #expect(ends == [34, 78])
        #expect(rule.hasSpoken && rule.enoughToSend)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func whatIsNotFiniteIsIgnored(strange: Double) {
        var rule = EndOfSpeech(rule: .lapel)
        _ = rule.ends("####....")
        var before = rule
        _ = rule.feed(Observation(dbfs: strange, seconds: 0.9, frames: readings("#")[0]))
        #expect(rule.lastJudgement == .ignored)
        _ = rule.feed(Observation(dbfs: -30, seconds: strange, frames: readings("#")[0]))
        #expect(rule.lastJudgement == .ignored)
        let next = Observation(dbfs: -30, seconds: 0.9, frames: readings(".")[0])
        _ = rule.feed(next)
        _ = before.feed(next)
        #expect(rule == before)
    }

    @Test mutating func aLevelAloneIsIgnored() {
        _ = rule.feed(-20, at: 0.1)
        #expect(rule.lastJudgement == .ignored && !rule.hasSpoken)
    }

    @Test mutating func readingsThatComeLateCountTheTimeBetween() {
        _ = rule.ends("####")
        let early = rule.feed(Observation(dbfs: -60, seconds: 3.3, frames: readings(".")[0]))
        let late = rule.feed(Observation(dbfs: -60, seconds: 3.4, frames: readings(".")[0]))
        #expect(!early && late)
    }

    @Test mutating func aReadingThatComesTwiceOrOvertakenIsIgnored() {
        _ = rule.ends("####......")
        var once = rule
        for seconds in [1.0, 0.9, 0.4] {
            _ = rule.feed(Observation(dbfs: -20, seconds: seconds, frames: readings("#")[0]))
            #expect(rule.lastJudgement == .ignored)
        }
        let next = Observation(dbfs: -60, seconds: 1.1, frames: readings(".")[0])
        _ = rule.feed(next)
        _ = once.feed(next)
        #expect(rule == once)
    }

    @Test mutating func aClockThatBeginsAnewDoesNotKeepTheMicrophoneOpen() {
        _ = rule.ends("####......")
        var ends: [Double] = []
        for k in 1...60 {
            let seconds = -100 + Double(k) / 10
            if rule.feed(Observation(dbfs: -60, seconds: seconds, frames: readings(".")[0])) {
                ends.append(seconds)
            }
        }
        #expect(ends.count == 1 && ends[0] < -97)
    }

    @Test func itsFiguresGoThroughAManifest() {
        var parameters = EndOfSpeech.LapelParameters(patience: .quick)
        parameters.setHangover(1.5)
        #expect(EndOfSpeech.LapelParameters(byName: parameters.byName) == parameters)
        #expect(EndOfSpeech.LapelParameters(byName: [:]) == EndOfSpeech.LapelParameters())
        let reference = EndOfSpeech.Parameters(hangover: 2, margin: 8)
        #expect(EndOfSpeech.Parameters(byName: reference.byName) == reference)
    }

    /// Four hours: 144,000 readings.
    @Test mutating func aMemoOfFourHoursAllocatesNothing() {
        let speech = readings("#?.3")
        var ends = 0
        let before = lapel_allocations_of_this_thread()
        for k in 0..<144_000 {
            let frames = k % 100 < 40 ? speech[k % 4] : speech[2]
            if rule.feed(Observation(dbfs: -30, seconds: Double(k + 1) / 10, frames: frames)) { ends += 1 }
        }
        #expect(lapel_allocations_of_this_thread() == before)
        #expect(ends == 1440)
        #expect(MemoryLayout<EndOfSpeech>.size < 1024)
    }

    @Test mutating func theTimeToTheEndRunsDown() throws {
        _ = rule.ends("..")
        #expect(rule.secondsToEnd == nil)
        rule = EndOfSpeech(parameters: .init(lag: 0))
        _ = rule.ends("####..........")
        #expect(abs(try #require(rule.secondsToEnd) - 2) < 1e-9)
    }
}

@Suite struct SpeechFramesTests {
    @Test func theyGoThroughText() throws {
        let frames = SpeechFrames((0, 15, 16, 128, 255), floor: -61.5)
        #expect(frames.hexadecimal == "000f1080ff7b")
        #expect(SpeechFrames(hexadecimal: "000f1080ff7b") == frames)
        #expect(frames.floor == -61.5 && frames.probability == 1)
    }

    @Test(arguments: ["", "00", "000f1080ff7", "000f1080ff7b0", "000f1080ff7g", "+00f1080ff7b"])
    func whatIsNoTwelveDigitsIsNone(text: String) { #expect(SpeechFrames(hexadecimal: text) == nil) }

    @Test(
        arguments: [
            (0, 0), (1, 255), (2, 255), (-1, 0), (0.5, 128), (.nan, 0), (.infinity, 255),
        ] as [(Double, UInt8)])
    func probabilitiesAreRounded(probability: Double, expected: UInt8) {
        #expect(SpeechFrames.quantised(probability) == expected)
    }

    @Test(arguments: [(10, 0), (-300, -127.5), (-60.2, -60), (.nan, -127.5)] as [(Double, Double)])
    func floorsAreKeptInHalfDecibels(floor: Double, kept: Double) {
        #expect(SpeechFrames((0, 0, 0, 0, 0), floor: floor).floor == kept)
    }
}
