import Foundation
import Lab
import TestSupport
import Testing

@Suite struct EndpointCommandTests {
    private let folder = TemporaryFolder()

    // MARK: - What it answers

    @Test func recordingEndsThreeSecondsAfterItsLastWord() throws {
        let path = try wav("a.wav", "..... .. ######## .. #### .............................. ..........")
        let run = lapelEndpoint("--json", path)
        #expect(run.code == 0 && run.errors.isEmpty)
        let answer = try run.objects()[0]
        #expect(answer["file"] as? String == path && answer["rule"] as? String == "reference")
        #expect(answer["end_s"] as? Double == 5.1 && answer["speech_s"] as? Double == 1.2)
        #expect(answer["send"] as? Bool == true && answer["reason"] as? String == "hangover")
        #expect(answer["duration_s"] as? Double == 6.1 && answer["hangover_s"] as? Double == 3)
    }

    @Test func recordingThatNeverEndsHasNoEnd() throws {
        let run = lapelEndpoint("--json", try wav("a.wav", "..... #### ....."))
        #expect(run.lines[0].contains(#""end_s":null"#) && run.lines[0].contains(#""reason":null"#))
        #expect(try run.objects()[0]["send"] as? Bool == true)
    }

    @Test func tooLittleSpeechIsNotSent() throws {
        let run = lapelEndpoint("--json", try wav("a.wav", "..... ### " + String(repeating: ".", count: 40)))
        let answer = try run.objects()[0]
        #expect(answer["end_s"] as? Double == 3.8 && answer["send"] as? Bool == false)
    }

    @Test(arguments: [(8_000, 1), (11_025, 1), (44_100, 2), (48_000, 2)])
    func anyRateAndChannelCountGivesTheSameAnswer(rate: Int, channels: Int) throws {
        let drawing = "..... .. ######## " + String(repeating: ".", count: 40)
        let answers = try [(16_000, 1), (rate, channels)].map { rate, channels in
            var answer = try lapelEndpoint(
                "--json", try wav("\(rate).wav", drawing, rate: rate, channels: channels)
            )
            .objects()[0]
            answer["file"] = nil
            return answer as NSDictionary
        }
        #expect(answers[0] == answers[1])
    }

    @Test func meterTraceIsJudgedLikeItsRecording() throws {
        let drawing = "..... .. ######## " + String(repeating: ".", count: 40)
        _ = try wav("a.wav", drawing)
        _ = try csv("a.csv", drawing)
        let answers = try lapelEndpoint("--json", folder.path).objects()
        #expect(answers.map { ($0["file"] as? String)?.suffix(5) } == ["a.csv", "a.wav"])
        #expect(answers[0]["end_s"] as? Double == answers[1]["end_s"] as? Double)
        #expect(answers[0]["speech_s"] as? Double == answers[1]["speech_s"] as? Double)
        #expect(answers[0]["duration_s"] as? Double == answers[1]["duration_s"] as? Double)
    }

    @Test func anotherHangoverEndsEarlier() throws {
        let path = try wav("a.wav", "..... #### " + String(repeating: ".", count: 40))
        let run = lapelEndpoint("--json", "--hangover=2", path)
        #expect(try run.objects()[0]["end_s"] as? Double == 2.9)
        #expect(try run.objects()[0]["hangover_s"] as? Double == 2)
    }

    @Test func tableIsAligned() throws {
        _ = try wav("short.wav", "..... #### " + String(repeating: ".", count: 40))
        _ = try wav("a-longer-name.wav", "..... ####")
        let lines = lapelEndpoint(folder.path).lines
        #expect(lines.count == 3 && lines[0].hasPrefix("file ") && lines[0].hasSuffix("ended by"))
        #expect(lines[1].hasSuffix("never       0.4  yes   –"))
        #expect(lines[2].hasSuffix("  3.9       0.4  yes   hangover"))
        #expect(
            Set(
                lines.map {
                    $0.distance(from: $0.startIndex, to: $0.range(of: "  ", options: .backwards)!.upperBound)
                }
            ).count == 1)
    }

    // MARK: - Which files

    @Test func folderGivesItsSoundFilesByNameAndNoOthers() throws {
        for name in ["b.WAV", "a.wav", ".hidden.wav"] { _ = try wav(name, "..... ####") }
        _ = try csv("c.csv", "..... ####")
        try folder.write("notes.txt", Array("hello".utf8))
        try FileManager.default.createDirectory(
            atPath: folder.file("inside"), withIntermediateDirectories: false)
        _ = try wav("inside/d.wav", "..... ####")
        for path in [folder.path, folder.path + "/"] {
            let names = try lapelEndpoint("--json", path).objects().map { $0["file"] as? String }
            #expect(names == ["a.wav", "b.WAV", "c.csv"].map(folder.file))
        }
    }

    @Test func folderWithoutSoundSaysSo() throws {
        let run = lapelEndpoint(folder.path)
        #expect(run.code == 1 && run.lines.isEmpty)
        #expect(
            run.errors == ["lapel-lab: The folder \(folder.path) holds no .wav and no .csv file."])
    }

    @Test func fileThatCannotBeReadDoesNotKeepTheOthers() throws {
        let good = try wav("good.wav", "..... ####")
        let bad = try folder.write("bad.wav", Array("no sound at all".utf8))
        let run = lapelEndpoint("--json", folder.file("none.wav"), bad, good, folder.file("none.csv"))
        #expect(run.code == 1 && run.lines.count == 1 && run.errors.count == 3)
        #expect(try run.objects()[0]["file"] as? String == good)
    }

    @Test func nameWithQuotesAndLineEndsStaysOneObjectALine() throws {
        let path = try wav("a \"b\"\n\\c.wav", "..... ####")
        let run = lapelEndpoint("--json", path)
        #expect(run.lines.count == 1 && !run.lines[0].contains("\n"))
        #expect(try run.objects()[0]["file"] as? String == path)
    }

    // MARK: - Arguments

    @Test(arguments: [
        [], ["--json"], ["--rule", "best", "a.wav"], ["--rule"], ["--loud", "a.wav"],
        ["--hangover", "x", "a.wav"],
        ["--hangover", "0", "a.wav"], ["--hangover", "nan", "a.wav"], ["--json=yes", "a.wav"],
        ["--plot", "a.wav", "b.wav"], ["--plot=", "b.wav"],
        ["--rule", "lapel", "--rule", "reference", "a.wav"],
    ])
    func argumentsThatAreNotUnderstoodAreMisuse(arguments: [String]) {
        let run = EndpointRun(arguments)
        #expect(run.code == 2 && run.lines.isEmpty && run.errors.count == 1)
        #expect(run.errors.last?.hasPrefix("lapel-lab: ") == true)
    }

    @Test func helpIsAnAnswer() {
        let run = lapelEndpoint("--help")
        #expect(run.code == 0 && run.errors.isEmpty && run.lines[0].hasPrefix("lapel-lab endpoint "))
    }

    private func wav(_ name: String, _ drawing: String, rate: Int = 16_000, channels: Int = 1) throws
        -> String
    {
        try folder.write(name, EndpointRun.wav(drawing, rate: rate, channels: channels))
    }

    private func csv(_ name: String, _ drawing: String) throws -> String {
        try folder.write(name, EndpointRun.csv(drawing))
    }
}
