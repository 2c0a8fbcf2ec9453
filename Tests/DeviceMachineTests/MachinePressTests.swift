import Hardware
import Testing
import Turn

@testable import DeviceMachine

/// Mode `press`. The card needs 100 ms to start; then 0.5 s measure the room.
@Suite struct MachinePressTests {
    private let bench = DeviceBench()
    private let kept = [40, 40]
    private let nothingHeard = [120]
    private let discarded = [30, 30, 30]

    @Test func theLampIsTheFirstActionOfAPress() {
        bench.thumb("#")
        bench.live(until: .milliseconds(1))
        #expect(bench.happened.first?.what == .lamp(true))
        #expect(bench.happened.first?.at == .zero)
    }

    @Test func theJournalIsWrittenBeforeTheCardIsTouched() {
        bench.thumb("#")
        bench.live(until: .milliseconds(1))
        #expect(bench.story == ["journal opening u1", "card open", "wake shipper"])
    }

    @Test func nothingTouchesTheCardWithoutAPress() {
        bench.happens(.recorder(.room(refusal: nil)), at: .seconds(1))
        bench.happens(.host(.signOfLife(at: .seconds(2))), at: .seconds(2))
        bench.happens(.endAsked(.request, at: .seconds(3)), at: .seconds(3))
        bench.live(until: .seconds(100))
        #expect(bench.story == [])
        #expect(bench.machine.deadline == nil)
    }

    @Test func aSpokenTurnEndsByItselfAndIsKept() {
        bench.thumb("#")
        bench.sound("........########")
        bench.live(until: .seconds(8))
        #expect(
            bench.story == [
                "journal opening u1", "card open", "wake shipper", "card configure", "card start",
                "file begun u1", "card read", "journal first sample u1", "card close",
                "journal closed u1: hangover", "file finished u1: hangover", "file kept u1", "wake shipper",
            ])
        #expect(bench.pulses(from: .seconds(1)) == kept)
        #expect(bench.machine.turn.phase == .off)
        #expect(bench.machine.takes.isEmpty)
    }

    @Test func theFactsSayWhatWasHeard() throws {
        bench.thumb("#")
        bench.sound("........########")
        bench.live(until: .seconds(8))
        let facts = try #require(bench.facts.first)
        #expect(abs(facts.speechSeconds - 0.8) < 1e-9)
        #expect(facts.press == .zero && facts.firstSample == .milliseconds(110))
        #expect(facts.firstSpeech == .milliseconds(800))
        #expect(facts.ended == .milliseconds(4600))  // 3 s after the last speech reading
        #expect(facts.readings.count == 45)
        #expect(facts.summary.frames == 72_000 && facts.mode == "press" && facts.rule == "reference")
    }

    @Test func theEdgesOfAGlitchLeadToNoSampleAndNoFileAndOneClosedRecord() {
        bench.edge(down: true, at: .zero)
        bench.edge(down: false, at: .milliseconds(3))
        bench.live(until: .seconds(5))
        #expect(
            bench.story == [
                "journal opening u1", "card open", "wake shipper", "journal closed u1: abandoned",
                "card close",
            ])
        #expect(bench.machine.glitches == 1)
        #expect(bench.light == ["+0", "-10"])
        #expect(bench.pulses() == [30])
    }

    @Test func aGlitchIsUndoneEvenIfTheCardWasQuicker() {
        bench.cardTakes = [.open: .zero, .configure: .zero, .start: .zero, .close: .milliseconds(5)]
        bench.edge(down: true, at: .zero)
        bench.edge(down: false, at: .milliseconds(3))
        bench.live(until: .seconds(5))
        #expect(bench.story("file kept", "file gone") == ["file gone u1"])
        #expect(bench.story("journal closed") == ["journal closed u1: abandoned"])
        #expect(bench.pulses() == [30])
    }

    @Test func aPressThatEndsTheTurnKeepsItsFileInRecUntilTheRelease() {
        bench.thumb("#...................######....")
        bench.sound("........########")
        bench.live(until: .milliseconds(2500))
        #expect(bench.story("file") == ["file begun u1", "file finished u1: button"])
        bench.live(until: .milliseconds(2620))
        #expect(bench.story("file") == ["file begun u1", "file finished u1: button", "file kept u1"])
        bench.live(until: .seconds(4))
        #expect(bench.pulses(from: .seconds(1)) == kept)
    }

    @Test func aPressHeldForOneAndAHalfSecondsDiscardsAndTellsItWhenTheFileIsGone() throws {
        bench.recorderTakes = .milliseconds(300)
        bench.thumb("#...................####################")
        bench.sound("........########")
        bench.live(until: .seconds(6))
        #expect(bench.story("file") == ["file begun u1", "file finished u1: button", "file gone u1"])
        let gone = try #require(bench.time(of: "file gone u1"))
        #expect(gone == .milliseconds(3510))
        #expect(bench.pulses(from: .seconds(1)) == discarded)
        #expect(
            bench.happened.first { $0.at > .seconds(2) && $0.what == .motor(true) }?.at == .milliseconds(3810)
        )
    }

    @Test func aPressWithoutAWordSaidLeavesNothing() {
        bench.thumb("#..........#")
        bench.live(until: .seconds(4))
        #expect(bench.story("file") == ["file begun u1", "file finished u1: button", "file gone u1"])
        #expect(bench.pulses(from: .seconds(1)) == nothingHeard)
    }

    @Test func aHeldPressBecomesPushToTalkWhichTheEndOfSpeechDoesNotEnd() {
        bench.thumb(String(repeating: "#", count: 90))
        bench.sound("........####")
        bench.live(until: .seconds(8))
        #expect(bench.story("file") == ["file begun u1"])
        bench.live(until: .seconds(10))
        #expect(bench.story("file") == ["file begun u1", "file finished u1: release", "file kept u1"])
    }

    /// Somebody who speaks at the press is calibrated away by the reference rule, and yet holds the button.
    @Test func pushToTalkOutlastsTheLimitOfATurnWithoutSpeech() {
        bench.thumb(String(repeating: "#", count: 130))
        bench.live(until: .seconds(12))
        #expect(bench.story("file") == ["file begun u1"])
        bench.live(until: .seconds(16))
        #expect(bench.story("file") == ["file begun u1", "file finished u1: release", "file kept u1"])
    }

    @Test func pushToTalkKeepsAudioWithoutSpeech() {
        bench.thumb("########")
        bench.live(until: .seconds(4))
        #expect(bench.story("file") == ["file begun u1", "file finished u1: release", "file kept u1"])
    }

    @Test func pushToTalkOfLessThanFourTenthsOfAudioIsNothing() {
        bench.cardTakes[.open] = .milliseconds(300)
        bench.thumb("#######")
        bench.live(until: .seconds(4))
        #expect(bench.story("file") == ["file begun u1", "file finished u1: release", "file gone u1"])
        #expect(bench.pulses(from: .milliseconds(500)) == nothingHeard)
    }

    @Test(arguments: [60, 600])
    func aDoublePressReplaysTheLastReplyAndNothingElseIsFelt(cardOpensIn: Int) {
        let bench = DeviceBench { $0.repliesExpected = true }
        bench.cardTakes[.open] = .milliseconds(cardOpensIn)
        bench.thumb("#.#")
        bench.live(until: .seconds(5))
        #expect(bench.story("replay") == ["replay last reply"])
        #expect(bench.story("file kept") == [])
        #expect(bench.pulses() == [30])
        #expect(bench.story("journal closed").count == 1)
        #expect(bench.machine.turn.phase == .off)
    }

    @Test(arguments: [60, 600])
    func whereNoReplyIsEverKeptADoublePressLeavesNothing(cardOpensIn: Int) {
        bench.cardTakes[.open] = .milliseconds(cardOpensIn)
        bench.thumb("#.#")
        bench.live(until: .seconds(5))
        #expect(bench.story("replay", "file kept") == [])
        #expect(bench.pulses() == [30] + nothingHeard)
        #expect(bench.story("journal closed").count == 1)
    }

    @Test func twoPressesThatAreNotADoublePressReplayNothing() {
        bench.thumb("#...#")
        bench.live(until: .seconds(5))
        #expect(bench.story("replay") == [])
        #expect(bench.pulses(from: .milliseconds(400)) == nothingHeard)
    }

    @Test func withoutSpeechTheTurnEndsAfterTenSeconds() {
        bench.thumb("#")
        bench.live(until: .milliseconds(10_099))
        #expect(bench.machine.turn.phase == .listening)
        bench.live(until: .seconds(11))
        #expect(
            bench.story("file") == ["file begun u1", "file finished u1: nothing heard", "file gone u1"])
        #expect(bench.pulses(from: .seconds(1)) == nothingHeard)
    }

    @Test func theLongestUtteranceIsCountedDownAndKept() {
        bench.thumb("#")
        bench.sound("......" + String(repeating: "##........", count: 130))
        bench.live(until: .milliseconds(120_150))
        // A tick at each of the last five seconds, then the long pulse.
        let ticks = bench.happened.filter { $0.at > .seconds(1) && $0.what == .motor(true) }.map(\.at)
        #expect(ticks.map(\.inMilliseconds) == [115_100, 116_100, 117_100, 118_100, 119_100, 120_100])
        bench.live(until: .seconds(122))
        #expect(bench.story("file") == ["file begun u1", "file finished u1: longest", "file kept u1"])
    }

    @Test func readingsThatAreMarkedNeverReachTheRule() throws {
        bench.marks = { [.muted, .inserted, .motor][$0 % 3] }
        bench.thumb("#")
        bench.sound("........" + String(repeating: "#", count: 60))
        bench.live(until: .seconds(12))
        let facts = try #require(bench.facts.first)
        #expect(facts.speechSeconds == 0 && facts.firstSpeech == nil)
        #expect(facts.reason == .nothingHeard)
        #expect(facts.readings.count > 90)  // marked, and in the manifest
    }

    @Test func aReadingUnderTheMotorsOwnNoiseIsMarked() throws {
        bench.thumb("#")
        bench.sound("......" + String(repeating: "##........", count: 130))
        bench.live(until: .seconds(122))
        let readings = try #require(bench.facts.first).readings
        let marked = readings.indices.filter { readings[$0].marks.contains(.motor) }
        // Each tick lasts 15 ms and rings for 60 ms: 115.1 s of time is 115.0 s of audio.
        #expect(marked == [1150, 1160, 1170, 1180, 1190])
    }

    @Test func anEdgeRightAfterTheMicrophoneClosedByItselfOnlyBlinks() {
        bench.thumb("#")
        bench.sound("........########")
        bench.thumb("#", from: .milliseconds(5200))
        bench.live(until: .seconds(9))
        #expect(bench.story("journal opening") == ["journal opening u1"])
        bench.thumb("#", from: .seconds(9))
        bench.live(until: .milliseconds(9001))
        #expect(bench.story("journal opening") == ["journal opening u1", "journal opening u2"])
    }

    @Test func aPressHeldAtTheStartIsNone() {
        bench.happens(.button(.heldAtStart(at: .zero)), at: .zero)
        bench.edge(down: false, at: .seconds(2))
        bench.edge(down: true, at: .seconds(3))
        bench.live(until: .milliseconds(2999))
        #expect(bench.story("journal") == [])
        bench.live(until: .seconds(3))
        #expect(bench.story("journal") == ["journal opening u1"])
    }
}
