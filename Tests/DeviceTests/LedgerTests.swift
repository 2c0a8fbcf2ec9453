import DurableFiles
import Foundation
import Glibc
import Hardware
import Synchronization
import TestSupport
import Testing
import Turn
import Wire

@testable import Device
@testable import DeviceMachine

@Suite struct LedgerTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("ledger") }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    private func record(_ number: Int, padding: Int = 0) -> JSON {
        ["record": "opening", "press": .string("p\(number)" + String(repeating: "x", count: padding))]
    }

    /// One run's journal.
    private func write(_ records: [JSON]) throws {
        let ledger = try Ledger(folder: path)
        for record in records { ledger.append(record) }
        try ledger.write()
    }

    @Test func recordsComeBackInTheirOrder() throws {
        let ledger = try Ledger(folder: path)
        for number in 0..<5 { ledger.append(record(number)) }
        try ledger.sync()
        #expect(try Ledger.records(in: path) == (0..<5).map { record($0) })
    }

    @Test func aRecordIsWithTheKernelBeforeWriteReturns() throws {
        let ledger = try Ledger(folder: path)
        ledger.append(record(1))
        #expect(try Ledger.records(in: path) == [])
        try ledger.write()
        // No sync: what another process reads now survives this one's death.
        #expect(try Ledger.records(in: path) == [record(1)])
    }

    @Test func appendAndWriteMakeNoSyncAndBeginNoFile() throws {
        let calls = Mutex<[FileOperation]>([])
        let ledger = try Ledger(
            folder: path,
            calls: FileCalls { call in
                calls.withLock { $0.append(call.operation) }
                return nil
            })
        calls.withLock { $0 = [] }
        for number in 0..<300 { ledger.append(record(number, padding: 10_000)) }
        #expect(calls.withLock { $0 } == [])
        try ledger.write()
        #expect(calls.withLock { Set($0) } == [.write])
        #expect(try files().count == 1)
        try ledger.sync()
        #expect(try files().count == 2)
    }

    @Test func aCardThatTakesNoRecordSaysSoAndTakesTheNext() throws {
        let isBroken = Mutex(true)
        let ledger = try Ledger(
            folder: path,
            calls: FileCalls { call in
                call.operation == .write && isBroken.withLock { $0 } ? .fail(EIO) : nil
            })
        ledger.append(record(1))
        #expect(throws: DurableFileError.self) { try ledger.write() }
        isBroken.withLock { $0 = false }
        ledger.append(record(2))
        try ledger.sync()
        #expect(try Ledger.records(in: path) == [record(2)])
    }

    @Test func aNewRunBeginsAFileOfItsOwn() throws {
        for run in 1...3 { try write([record(run)]) }
        #expect(try files() == ["000001.jsonl", "000002.jsonl", "000003.jsonl"])
        #expect(try Ledger.records(in: path) == (1...3).map { record($0) })
    }

    @Test(arguments: [1, 10, 25])
    func aTornLineIsPassedOver(bytesLeft: Int) throws {
        try write([record(1), record(2)])
        let file = path + "/000001.jsonl"
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        let first = try #require(whole.firstIndex(of: 10)) + 1
        try whole.prefix(first + bytesLeft).write(to: URL(fileURLWithPath: file))
        try write([record(3)])
        #expect(try Ledger.records(in: path) == [record(1), record(3)])
    }

    @Test func aGrownFileIsClosedAndNothingOfItIsLost() throws {
        let ledger = try Ledger(folder: path)
        for number in 0..<300 {
            ledger.append(record(number, padding: 10_000))
            try ledger.sync()
        }
        #expect(try files() == ["000001.jsonl", "000002.jsonl", "000003.jsonl"])
        #expect(try Ledger.records(in: path).count == 300)
        let lengths = try files().map { try Data(contentsOf: URL(fileURLWithPath: path + "/" + $0)).count }
        #expect(lengths.allSatisfy { $0 <= 1 << 20 + 16 << 10 })
    }

    @Test func foreignFilesAreNoRecords() throws {
        try write([record(1)])
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
        let json = LedgerEntry.opening(
            press: UtteranceID("u1"), reason: .press, token: token, at: .seconds(3)
        ).json(clocks)
        #expect(json["record"]?.string == "opening" && json["press"]?.string == "u1")
        #expect(json["opened_by"]?.string == "press")
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
            press: UtteranceID("u1"), reason: .hangover, summary: summary, at: .seconds(3)
        ).json(Clocks())
        #expect(json["reason"]?.string == "hangover" && json["frames"]?.int == 16_000)
        #expect(json["inserted"]?.int == 160 && json["overruns"]?.int == 1)
        #expect(json["peak"]?.int == 12_345 && json["clipped"]?.int == 2)
        #expect(json["device_format"]?.string == "S16_LE")
    }
}
