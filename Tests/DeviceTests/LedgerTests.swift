import DurableFiles
import Foundation
import Hardware
import TestSupport
import Testing
import Turn
import Wire

@testable import Device

@Suite struct LedgerTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("ledger") }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    private func record(_ number: Int, padding: Int = 0) -> JSON {
        ["record": "opening", "press": .string("p\(number)" + String(repeating: "x", count: padding))]
    }

    @Test func recordsComeBackInTheirOrder() throws {
        let ledger = try Ledger(folder: path)
        for number in 0..<5 { try ledger.append(record(number)) }
        try ledger.sync()
        #expect(try Ledger.records(in: path) == (0..<5).map { record($0) })
    }

    @Test func aRecordIsWithTheKernelBeforeAppendReturns() throws {
        let ledger = try Ledger(folder: path)
        try ledger.append(record(1))
        // No sync: what another process reads now survives this one's death.
        #expect(try Ledger.records(in: path) == [record(1)])
    }

    @Test func aNewRunBeginsAFileOfItsOwn() throws {
        for run in 1...3 { try Ledger(folder: path).append(record(run)) }
        #expect(try files() == ["000001.jsonl", "000002.jsonl", "000003.jsonl"])
        #expect(try Ledger.records(in: path) == (1...3).map { record($0) })
    }

    @Test(arguments: [1, 10, 25])
    func aTornLineIsPassedOver(bytesLeft: Int) throws {
        let ledger = try Ledger(folder: path)
        try ledger.append(record(1))
        try ledger.append(record(2))
        let file = path + "/000001.jsonl"
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        let first = try #require(whole.firstIndex(of: 10)) + 1
        try whole.prefix(first + bytesLeft).write(to: URL(fileURLWithPath: file))
        try Ledger(folder: path).append(record(3))
        #expect(try Ledger.records(in: path) == [record(1), record(3)])
    }

    @Test func aGrownFileIsClosedAndNothingOfItIsLost() throws {
        let ledger = try Ledger(folder: path)
        for number in 0..<300 { try ledger.append(record(number, padding: 10_000)) }
        #expect(try files() == ["000001.jsonl", "000002.jsonl", "000003.jsonl"])
        #expect(try Ledger.records(in: path).count == 300)
        let lengths = try files().map { try Data(contentsOf: URL(fileURLWithPath: path + "/" + $0)).count }
        #expect(lengths.allSatisfy { $0 <= 1 << 20 + 16 << 10 })
    }

    @Test func foreignFilesAreNoRecords() throws {
        try Ledger(folder: path).append(record(1))
        for name in ["7.jsonl", "notes.txt", "-00001.jsonl", "000009.jsonl.bak"] {
            try Data("{\"record\":\"forged\"}\n".utf8).write(to: URL(fileURLWithPath: path + "/" + name))
        }
        #expect(try Ledger.records(in: path) == [record(1)])
    }

    @Test func aFolderThatIsMissingHasNoRecordsAndSaysSo() {
        #expect(throws: DurableFileError.self) { try Ledger.records(in: path) }
    }

    @Test func anOpeningTellsAllClocksAndTheBoot() throws {
        var turn = VoiceTurn()
        let begun = turn.begin()
        let token = try #require(begun)
        let clocks = Clocks()
        let json = LedgerEntry.opening(press: UtteranceID("u1"), token: token, at: .seconds(3)).json(clocks)
        #expect(json["record"]?.string == "opening" && json["press"]?.string == "u1")
        #expect(json["monotonic_ns"]?.int == 3_000_000_000)
        let wall = try #require(json["wall_ns"]?.int)
        #expect(wall > 1_700_000_000_000_000_000)
        #expect(json["boot_ns"]?.int != nil && json["boot_id"]?.string != nil)
    }

    @Test func aFirstSampleTellsHowLongItTook() {
        let entry = LedgerEntry.firstSample(
            press: UtteranceID("u1"), afterPress: .microseconds(123_456), at: .seconds(3))
        #expect(entry.json(Clocks())["press_to_first_sample_us"]?.int == 123_456)
    }

    @Test func aClosingTellsReasonAndSums() {
        var summary = CaptureSummary()
        summary.frames = 16_000
        summary.inserted = 160
        summary.overruns = 1
        summary.peak = 12_345
        summary.clipped = 2
        summary.format = "S16_LE"
        let json = LedgerEntry.closed(
            press: UtteranceID("u1"), reason: "hangover", summary: summary, at: .seconds(3)
        ).json(Clocks())
        #expect(json["reason"]?.string == "hangover" && json["frames"]?.int == 16_000)
        #expect(json["inserted"]?.int == 160 && json["overruns"]?.int == 1)
        #expect(json["peak"]?.int == 12_345 && json["clipped"]?.int == 2)
        #expect(json["device_format"]?.string == "S16_LE" && json["kept_warm"]?.bool == false)
    }

    /// A day of presses on the bench: everything that may happen to a start happens.
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func everyOpeningHasExactlyOneClosing(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bench = DeviceBench { $0.mode = [.press, .hold, .memo][Int(seed % 3)] }
        bench.cardTakes[.open] = .milliseconds([5, 60, 700][Int(seed % 3)])
        bench.sound(String((0..<4000).map { _ in Int.random(in: 0..<4, using: &random) == 0 ? "#" : "." }))
        var at = Duration.zero
        while at < .seconds(300) {
            at += .milliseconds(Int.random(in: 20...6000, using: &random))
            let held = Duration.milliseconds([3, 80, 80, 400, 900, 2000].randomElement(using: &random) ?? 80)
            bench.edge(down: true, at: at)
            bench.edge(down: false, at: at + held)
            at += held
            if Int.random(in: 0..<8, using: &random) == 0 {
                let when = at
                bench.happens(.microphone(.fault(.unplugged(device: "mic"), at: when)), at: when)
            }
        }
        bench.happens(.endAsked(.shutdown, at: .seconds(400)), at: .seconds(400))
        bench.live(until: .seconds(500))
        let ledger = try Ledger(folder: path)
        for entry in bench.happened {
            if case .journal(let entry) = entry.what { try ledger.append(entry.json(Clocks())) }
        }
        var open: [String: Int] = [:]
        for record in try Ledger.records(in: path) {
            let press = try #require(record["press"]?.string)
            switch record["record"]?.string {
            case "opening": #expect(open.updateValue(0, forKey: press) == nil)
            case "closed": open[press, default: 9] += 1
            case let other: #expect(other == "first_sample" && open[press] == 0)
            }
        }
        #expect(open.count > 20)
        #expect(open.values.allSatisfy { $0 == 1 })
    }
}
