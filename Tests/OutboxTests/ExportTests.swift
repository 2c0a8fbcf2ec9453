import DurableFiles
import Foundation
import Outbox
import Testing

@Suite struct ExportTests {
    private let fixture = Fixture()
    private var target: String { fixture.folder.file("stick/lapel") }

    private func exported() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: target).sorted()
    }

    @Test(arguments: Seal.allCases) func everythingIsCopiedParkedOnesToo(seal: Seal) throws {
        let outbox = try fixture.open()
        let (first, second) = (try outbox.keep(seal), try outbox.keep(frames: 70_000, seal))
        try outbox.park(first, reason: "no")
        let names = try outbox.export(to: target)
        let expected = [first, second].flatMap { item in
            ["json", "opus"].map { "\(item.name).\($0)\(seal.suffix)" }
        }
        #expect(names == (expected + ["\(first.name).reason.txt"]).sorted())
        #expect(try exported() == names)
        #expect(try content("\(target)/\(second.name).opus\(seal.suffix)") == content(second.audioPath))
        #expect(outbox.counts().waiting == 1 && outbox.counts().parked == 1)
    }

    @Test func aSecondExportCopiesNothingAgain() throws {
        let item = try fixture.open().keep()
        _ = try Outbox.export(directory: fixture.directory, to: target)
        let log = CallLog()
        let names = try Outbox.export(directory: fixture.directory, to: target, calls: log.calls)
        #expect(names == ["\(item.name).json", "\(item.name).opus"])
        #expect(!log.take(fixture.directory).contains { $0.hasPrefix("write") || $0.hasPrefix("rename") })
    }

    @Test func aDifferentFileInTheWayIsNotOverwrittenAndTheRestIsCopied() throws {
        let item = try fixture.open().keep()
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        let inTheWay = "\(target)/\(item.name).json"
        try Data([1, 2]).write(to: URL(fileURLWithPath: inTheWay))
        #expect(throws: OutboxError.self) { try Outbox.export(directory: fixture.directory, to: target) }
        #expect(try content(inTheWay) == [1, 2])
        #expect(try exported() == ["\(item.name).json", "\(item.name).opus"])
    }

    @Test(arguments: Seal.allCases) func aRecordingInProgressIsCopiedOnlyWhenNoDeviceRuns(seal: Seal) throws {
        do {
            let outbox = try fixture.open()
            try outbox.begin(seal).discard()
            let recording = try outbox.begin(seal)
            try recording.say(10)
            #expect(try outbox.export(to: target) == [])
        }
        let endings =
            seal == .on ? ["head.age", "json.age.new", "opus.age", "tail"] : ["head", "json", "opus"]
        let names = try Outbox.export(directory: fixture.directory, to: target)
        #expect(names.map { String($0.dropFirst(44)) } == endings)
    }

    @Test func aPartIsNeverTakenForAFile() throws {
        let item = try fixture.open().keep()
        let log = CallLog()
        _ = try Outbox.export(directory: fixture.directory, to: fixture.folder.file("x"), calls: log.calls)
        for k in 0..<log.count {
            let target = fixture.folder.file("stick-\(k)")
            _ = try? Outbox.export(
                directory: fixture.directory, to: target, calls: CallLog(tornAt: k, after: 5).calls)
            let there = (try? FileManager.default.contentsOfDirectory(atPath: target)) ?? []
            for file in there where !file.hasSuffix(".part") {
                let source = try content("\(fixture.directory)/out/\(file)")
                #expect(try content("\(target)/\(file)") == source, "died at \(k)")
            }
            _ = try Outbox.export(directory: fixture.directory, to: target)
            #expect(try content("\(target)/\(item.name).opus") == content(item.audioPath))
        }
    }
}
