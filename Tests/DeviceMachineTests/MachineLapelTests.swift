import EndOfSpeech
import Hardware
import Testing
import Turn

@testable import DeviceMachine

/// The rule `lapel` in the device's machine: its readings come with what the front end heard.
@Suite struct MachineLapelTests {
    private static let speech = SpeechFrames((255, 255, 255, 255, 255), floor: -60)
    private static let none = SpeechFrames((0, 0, 0, 0, 0), floor: -60)

    private func bench(_ patience: EndOfSpeech.Patience = .calm) -> DeviceBench {
        let bench = DeviceBench {
            $0.rule = .lapel
            $0.patience = patience
        }
        bench.frames = { speaks in speaks ? Self.speech : Self.none }
        return bench
    }

    @Test func aSpokenTurnEndsByItselfAndItsFactsReplay() throws {
        let bench = bench()
        bench.thumb("#")
        bench.sound("..########")
        bench.live(until: .seconds(8))
        let facts = try #require(bench.facts.first)
        #expect(facts.reason == .hangover && facts.rule == "lapel" && abs(facts.speechSeconds - 0.8) < 1e-9)
        var again = EndOfSpeech(parameters: EndOfSpeech.LapelParameters(byName: facts.ruleParameters))
        for (index, reading) in facts.readings.enumerated() {
            _ = again.feed(
                Observation(dbfs: reading.dbfs, seconds: Double(index + 1) / 10, frames: reading.frames))
        }
        #expect(again.end?.seconds == Double(facts.readings.count) / 10)
    }

    @Test func quickNamesItsReason() throws {
        let bench = bench(.quick)
        bench.thumb("#")
        bench.sound("..########")
        bench.live(until: .seconds(8))
        #expect(bench.facts.first?.reason == .quickHangover)
    }

    @Test func loudnessAloneIsNoSpeech() throws {
        let bench = bench()
        bench.frames = { _ in Self.none }
        bench.thumb("#")
        bench.sound("..########")
        bench.live(until: .seconds(13))
        #expect(bench.facts.first?.reason == .nothingHeard)
    }

    /// The front end was not there: the turn ends by its limits, nothing is sent.
    @Test func readingsAloneAreNotJudged() throws {
        let bench = bench()
        bench.frames = nil
        bench.thumb("#")
        bench.sound("..########")
        bench.live(until: .seconds(13))
        #expect(bench.facts.first?.reason == .nothingHeard)
    }

    @Test func whatIsMarkedIsKeptAndNotJudged() throws {
        let bench = bench()
        bench.marks = { $0 < 12 ? .muted : [] }
        bench.thumb("#")
        bench.sound("..########")
        bench.live(until: .seconds(13))
        let facts = try #require(bench.facts.first)
        #expect(facts.reason == .nothingHeard && facts.readings[5].frames == Self.speech)
    }

    /// 144,000 readings of a memo.
    @Test func aReadingIsKeptInSixteenBytes() { #expect(MemoryLayout<TakenReading>.stride == 16) }

    @Test(arguments: EndOfSpeech.Reason.allCases)
    func everyReasonOfTheRuleHasItsName(reason: EndOfSpeech.Reason) {
        #expect(EndReason(reason).rawValue == reason.rawValue)
    }
}
