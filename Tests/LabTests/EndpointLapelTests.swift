import EndOfSpeech
import Foundation
import TestSupport
import Testing
import Wire

@testable import Lab

/// `lapel-lab endpoint` with the rule that hears the sound, on the project's samples.
@Suite struct EndpointLapelTests {
    private let folder = TemporaryFolder()

    private static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("board/samples").path

    /// A sample and 5 s of faint noise.
    private func wav(_ name: String, as copy: String = "a.wav") throws -> String {
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(Self.samples)/\(name).wav")))
        var random = SeededGenerator(seed: 1)
        for _ in 0..<5 * 16_000 {
            let sample = UInt16(bitPattern: Int16.random(in: -8...8, using: &random))
            bytes += [UInt8(sample & 255), UInt8(sample >> 8)]
        }
        for (place, count) in [(4, bytes.count - 8), (40, bytes.count - 44)] {
            for byte in 0..<4 { bytes[place + byte] = UInt8(count >> (8 * byte) & 255) }
        }
        return try folder.write(copy, bytes)
    }

    /// An utterance that the rule has judged, as a device keeps it.
    private func manifest(_ edit: (inout Manifest) -> Void = { _ in }) throws -> String {
        var rule = EndOfSpeech(rule: .lapel)
        let asked = EndpointAsked()
        var manifest = Manifest(
            utterance: String(repeating: "0", count: 32), seq: 1,
            start: .init(monotonic: 0, boot: 0, wall: 0),
            format: "opus", rate: 16_000, channels: 1)
        _ = try EndpointInput.wav(path: wav("demo")).read(for: asked) { _ in
        } while: { observation, _ in
            _ = rule.feed(observation)
            manifest.readings.append(
                .init(dbfs: observation.dbfs, marks: 0, speech: observation.frames?.hexadecimal))
            return rule.end == nil
        }
        manifest.rule = rule.rule.rawValue
        manifest.ruleParameters = rule.parameters
        manifest.endReason = rule.end?.reason.rawValue ?? ""
        edit(&manifest)
        return try folder.write("utterance.json", manifest.encoded())
    }

    @Test func withoutARuleARecordingIsJudgedAsTheDeviceDoesIt() throws {
        let answer = try EndpointRun(["--json", wav("demo")]).objects()[0]
        #expect(answer["rule"] as? String == "lapel" && answer["reason"] as? String == "hangover")
        let end = try #require(answer["end_s"] as? Double)
        #expect(end > 7.2 && end < 8.2 && answer["send"] as? Bool == true)
    }

    @Test func quickEndsEarlierAndSaysSo() throws {
        let answer = try EndpointRun(["--json", "--patience", "quick", wav("demo")]).objects()[0]
        let end = try #require(answer["end_s"] as? Double)
        #expect(end < 7.1 && (answer["reason"] as? String)?.hasSuffix("hangover") == true)
    }

    @Test func aMeterTraceIsJudgedByTheRuleOfLevels() throws {
        let path = try folder.write(
            "a.csv", EndpointRun.csv("..... ####" + String(repeating: ".", count: 40)))
        let answer = try EndpointRun(["--json", path]).objects()[0]
        #expect(answer["rule"] as? String == "reference" && answer["end_s"] as? Double == 3.9)
        let run = EndpointRun(["--rule", "lapel", path])
        #expect(run.code == 1 && run.errors.count == 1 && run.errors[0].contains("levels alone"))
    }

    @Test(arguments: [
        ["--rule", "reference", "--patience", "quick", "a.wav"], ["--patience", "slow", "a.wav"],
        ["--by", "scenario", "a.wav"], ["--score", "s", "--by", "noise"], ["--score", "s", "a.wav"],
        ["--score", "s", "--json"], ["--replay", "a.wav"],
    ])
    func whatDoesNotGoTogetherIsMisuse(arguments: [String]) {
        let run = EndpointRun(arguments)
        #expect(run.code == 2 && run.lines.isEmpty && run.errors.count == 1)
    }

    // MARK: - Replay

    @Test func anUtteranceIsReplayedFromItsManifest() throws {
        let recorded = try EndpointRun(["--json", wav("demo")]).objects()[0]
        let replayed = try EndpointRun(["--json", "--replay", manifest()]).objects()[0]
        #expect(replayed["end_s"] as? Double == recorded["end_s"] as? Double)
        #expect(replayed["speech_s"] as? Double == recorded["speech_s"] as? Double)
        #expect(replayed["rule"] as? String == "lapel")
    }

    @Test func withAnotherHangoverItEndsElsewhere() throws {
        let calm = try EndpointRun(["--json", "--replay", manifest()]).objects()[0]
        let two = try EndpointRun(["--json", "--replay", manifest(), "--hangover", "2"]).objects()[0]
        let ends = (try #require(calm["end_s"] as? Double), try #require(two["end_s"] as? Double))
        #expect(abs(ends.0 - ends.1 - 1) < 0.001)
    }

    @Test func theReferenceRuleReplaysItsLevelsWithItsFigures() throws {
        let path = try manifest {
            $0.rule = "reference"
            $0.ruleParameters = ["hangover_s": 1.5, "margin_db": 10]
            $0.readings = Array(repeating: .init(dbfs: -60, marks: 0), count: 5)
            $0.readings += Array(repeating: .init(dbfs: -20, marks: 0), count: 5)
            $0.readings += Array(repeating: .init(dbfs: -20, marks: 4), count: 5)  // under the motor's noise
            $0.readings += Array(repeating: .init(dbfs: -60, marks: 0), count: 20)
        }
        let answer = try EndpointRun(["--json", path]).objects()[0]
        #expect(answer["end_s"] as? Double == 2.5 && answer["rule"] as? String == "reference")
        let run = EndpointRun(["--rule", "lapel", "--replay", path])
        #expect(run.code == 1 && run.errors[0].contains("levels alone"))
    }

    @Test func whatIsNoJudgedUtteranceSaysSo() throws {
        let cases = [
            try folder.write("a.json", Array("{}".utf8)), try folder.write("b.json", Array("no".utf8)),
            folder.file("none.json"), try manifest { $0.rule = "oracle" },
        ]
        for path in cases {
            let run = EndpointRun(["--replay", path])
            #expect(run.code == 1 && run.errors.count == 1 && run.errors[0].contains(path))
        }
        let empty = EndpointRun(["--replay", try manifest { $0.readings = [] }])
        #expect(empty.code == 1 && empty.errors[0].contains("no readings"))
    }

    // MARK: - Drawing and score

    @Test func theDrawingHasABandOfProbabilities() throws {
        let run = EndpointRun(["--plot", folder.file("a.svg"), try wav("demo")])
        #expect(run.code == 0)
        let text = try String(contentsOfFile: folder.file("a.svg"), encoding: .utf8)
        #expect(text.contains("probability of speech") && text.contains("100 %"))
        #expect(!text.contains("measures the room"))
    }

    @Test func theDrawingOfAnUtteranceShowsWhatWasNotJudged() throws {
        let path = try manifest { $0.readings[2].marks = 1 }
        let run = EndpointRun(["--plot", folder.file("a.svg"), "--replay", path])
        #expect(run.code == 0)
        #expect(try String(contentsOfFile: folder.file("a.svg"), encoding: .utf8).contains("not judged"))
    }

    @Test func aSetIsScoredInTheBenchsColumns() throws {
        try FileManager.default.createDirectory(atPath: folder.file("wav"), withIntermediateDirectories: true)
        _ = try wav("demo", as: "wav/one.wav")
        _ = try wav("sentence-1", as: "wav/two.wav")
        let quiet = EndpointRun.wav(String(repeating: ".", count: 60))
        _ = try folder.write("wav/three.wav", quiet)
        try folder.write(
            "manifest.json",
            Array(
                """
                [{"id":"one","scenario":"clean","noise":"room","end":4.5},
                 {"id":"two","scenario":"clean","noise":"babble","end":9.5},
                 {"id":"three","scenario":"n_plain","end":null}]
                """.utf8))
        let run = EndpointRun(["--rule", "lapel", "--score", folder.path, "--by", "scenario"])
        #expect(run.code == 0 && run.errors.isEmpty)
        #expect(run.lines[0].hasPrefix("| rule | missed end % | never heard % | premature cut % | ok % |"))
        // The second one's truth is later than its end: a cut.
        #expect(run.lines[2].hasPrefix("| lapel | 0.0 | 0.0 | 50.0 | 50.0 | "))
        #expect(run.lines[2].hasSuffix(" | 0.0 | 0.0 |"))
        #expect(run.lines[3].hasPrefix("| lapel, no background talkers | 0.0 | 0.0 | 0.0 | 100.0 | "))
        #expect(
            run.lines[4].hasPrefix("| clean | ")
                && run.lines[5] == "| n_plain | – | – | – | – | – | – | 0.0 | 0.0 |")
        #expect(run.lines.last?.contains("ms of processor time for each second of sound") == true)
    }

    @Test func aFolderThatIsNoSetSaysSo() throws {
        let run = EndpointRun(["--score", folder.path])
        #expect(run.code == 1 && run.errors.count == 1)
        try folder.write("manifest.json", Array("[{}]".utf8))
        let other = EndpointRun(["--score", folder.path])
        #expect(other.code == 1 && other.errors[0].contains("is no made set"))
    }
}
