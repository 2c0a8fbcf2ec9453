import Lab
import TestSupport
import Testing

@Suite struct EndpointMeterTests {
    private let folder = TemporaryFolder()

    // MARK: - What is tolerated

    @Test(arguments: [
        "time_s,dbfs\n0.1,-60\n", "0.1,-60\n", "# from a watch\n\ntime_s,dbfs\n# room\n0.1,-60\n\n",
        "\u{FEFF}Time_s , dBFS\r\n 0.1 , -60 \r\n", "dbfs,floor,time_s\n-60,-70,0.1\n",
        "time_s,dbfs\n0.1,-60",
        "time_s,dbfs\n0.1,-60,extra\n", "time_s,dbfs\n0.1,-inf\n", "time_s,dbfs\n1e-1,nan\n",
    ])
    func traceIsRead(text: String) throws {
        let run = try run(text)
        #expect(run.code == 0 && run.errors.isEmpty && run.lines.count == 1)
        #expect(try run.objects()[0]["duration_s"] as? Double == 0.1)
    }

    @Test func readingsThatAreNoNumbersAreIgnored() throws {
        let quiet = (9...40).map { "0\(Double($0) / 10),-60\n" }.joined()
        let start = "0.1,-60\n0.2,-60\n0.3,nan\n0.4,-60\n0.5,-60\n0.6,-60\n0.7,-20\n0.8,inf\n"
        let answer = try run("time_s,dbfs\n" + start + quiet).objects()[0]
        #expect(answer["speech_s"] as? Double == 0.1 && answer["end_s"] as? Double == 3.7)
    }

    @Test func clockMayStartAnywhere() throws {
        let levels = [-60, -60, -60, -60, -60, -20, -20, -20, -20] + [Int](repeating: -60, count: 35)
        let text = levels.enumerated().map { "\(86_400 + Double($0) / 10),\($1)\n" }.joined()
        let answer = try run(text).objects()[0]
        #expect(answer["end_s"] as? Double == 86_403.8 && answer["speech_s"] as? Double == 0.4)
        #expect(answer["duration_s"] as? Double == 4.4)
    }

    // MARK: - What is not

    @Test(arguments: [
        ("time_s,dbfs\n0.1,-60\n0.2,loud\n", 3), ("time_s,dbfs\n0.1,-60\n\n#\n0.2\n", 5), ("hello\n", 1),
        ("level,time\n-60,0.1\n", 1), ("0.1;-60\n", 1), ("time_s,dbfs\n,\n", 2),
        ("0.1," + String(repeating: "1", count: 5000), 1),
    ])
    func badLineIsNamedWithItsNumber(text: String, line: Int) throws {
        let run = try run(text)
        #expect(run.code == 1 && run.lines.isEmpty && run.errors.count == 1)
        #expect(run.errors[0].contains("\(folder.file("a.csv")) is wrong in line \(line): "))
        #expect(run.errors[0].hasSuffix(".") && !run.errors[0].contains("\n"))
    }

    @Test func badLineIsShownShortAndHarmless() throws {
        let run = try run("0.1,\u{1B}[2J" + String(repeating: "a", count: 100))
        #expect(run.errors[0].contains("“0.1,?[2Jaaaa") && run.errors[0].contains("a…”"))
    }

    @Test(arguments: ["", "\n\n", "time_s,dbfs\n", "# nothing\n"])
    func traceWithoutReadingsSaysSo(text: String) throws {
        let run = try run(text)
        #expect(run.code == 1)
        #expect(
            run.errors == ["lapel-lab: The meter trace \(folder.file("a.csv")) holds no reading."])
    }

    private func run(_ text: String) throws -> EndpointRun {
        lapelEndpoint("--json", try folder.write("a.csv", Array(text.utf8)))
    }
}
