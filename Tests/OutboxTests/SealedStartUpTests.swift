import DurableFiles
import Foundation
import Outbox
import Sealing
import Testing
import Wire

/// What a start makes of the files of a sealed recording, wherever a cut left them.
@Suite struct SealedStartUpTests {
    private let fixture = Fixture(inMemory: true)

    /// A recording that died after its last sync: 70,000 bytes, of which one chunk is in the part file. Nothing is put
    /// together yet.
    private func unfinished() throws -> ItemName {
        let recording = try fixture.open(CallLog.quick).begin(.on)
        try recording.append(speech(70_000))
        try recording.sync()
        return recording.name
    }

    private func path(_ place: String, _ name: ItemName, _ ending: String) -> String {
        "\(fixture.directory)/\(place)/\(name).\(ending)"
    }

    private func move(_ from: String, _ to: String) throws {
        try FileManager.default.moveItem(atPath: from, toPath: to)
    }

    private func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

    private func write(_ path: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    private func expectPart(
        _ name: ItemName, _ heard: [UInt8] = speech(70_000), mode: String = "press"
    ) throws -> OutboxItem {
        let outbox = try fixture.open()
        let item = try #require(outbox.waiting().first)
        #expect(outbox.waiting().count == 1 && item.name == name && item.isSealedPart)
        #expect(outbox.startup.problems.isEmpty && outbox.startup.parked.isEmpty)
        #expect(try sound(of: item) == heard)
        #expect(try outbox.sealedNote(of: item)?.audio == .part)
        #expect(try outbox.sealedNote(of: item)?.recipients == Seal.on.recipients)
        let manifest = try Manifest(parsing: opened(item.manifestPath, true))
        #expect(manifest.utterance == name.id && manifest.mode == mode && manifest.sha256.isEmpty)
        let there = ["json.age", "opus.age", "tail"].map { "\(name).\($0)" }
        #expect(try fixture.files("out") == there)
        #expect(try fixture.files("rec").allSatisfy { $0 == "spare.tail" })
        #expect(try fixture.copied().open().startup == StartupReport())
        return item
    }

    @Test func partJournalAndHeadAreKept() throws {
        let name = try unfinished()
        let item = try expectPart(name)
        #expect(item.tailBytes == 2 * TailJournal.slot)
    }

    /// Were it sent without its journal, the host's receipts would let go of the last seconds.
    @Test(arguments: ["tail", "json.age", "opus.age"])
    func anItemOfWhichAFileDoesNotAnswerWaitsForTheNextStart(ending: String) throws {
        let name = try unfinished()
        do {
            let calls = FileCalls { call in
                call.operation == .size && call.path.hasSuffix("out/\(name).\(ending)") ? .fail(EIO) : nil
            }
            let outbox = try fixture.open(calls)
            #expect(outbox.waiting().isEmpty && outbox.startup.problems.count == 1)
        }
        let item = try expectPart(name)
        #expect(item.tailBytes == 2 * TailJournal.slot)
    }

    @Test func theReservationGoesBack() throws {
        let name = try unfinished()
        let item = try expectPart(name)
        let keys = try URL(fileURLWithPath: item.audioPath).resourceValues(forKeys: [.fileSizeKey])
        #expect(keys.fileSize == item.audioBytes && item.audioBytes < 66_500)
    }

    @Test func zerosAfterTheLastChunkAreTheHostsBusiness() throws {
        let name = try unfinished()
        let audio = path("rec", name, "opus.age")
        try write(audio, content(audio) + [UInt8](repeating: 0, count: 9_000))
        _ = try expectPart(name)
    }

    @Test func aTornFirstBlockCostsTheChunksAndNotTheJournal() throws {
        let recording = try fixture.open(CallLog.quick).begin(.on)
        try recording.append(speech(3_000))
        try recording.sync()
        for bytes in [[UInt8](repeating: 0, count: 900), Array("age-enc".utf8), []] {
            let copy = try fixture.copied()
            try write("\(copy.directory)/rec/\(recording.name).opus.age", bytes)
            let item = try #require(copy.open().waiting().first)
            #expect(try sound(of: item) == speech(3_000))
        }
    }

    @Test(arguments: [nil, 0, 100, -1]) func aTornHeadIsMadeAnewForTheSameRecipients(length: Int?) throws {
        let name = try unfinished()
        let head = path("rec", name, "head.age")
        let bytes = try content(head)
        if let length {
            try write(head, Array(bytes.prefix(length < 0 ? bytes.count + length : length)))
        } else {
            try remove(head)
        }
        _ = try expectPart(name, mode: "")
    }

    @Test func aTornJournalIsAnEmptyOne() throws {
        let name = try unfinished()
        try write(path("rec", name, "tail"), [UInt8](repeating: 9, count: 100))
        let item = try expectPart(name, Array(speech(70_000).prefix(65_536)))
        #expect(try content(item.tailPath ?? "") == [UInt8](repeating: 0, count: TailJournal.slot))
    }

    @Test func aPartWithoutItsJournalGetsAnEmptyOne() throws {
        let name = try unfinished()
        try remove(path("rec", name, "tail"))
        _ = try expectPart(name, Array(speech(70_000).prefix(65_536)))
    }

    @Test(arguments: [true, false]) func whatNeverHeldSoundIsRemoved(headIsThere: Bool) throws {
        let recording = try fixture.open(CallLog.quick).begin(.on)
        try recording.sync()
        let name = recording.name
        if !headIsThere { try remove(path("rec", name, "head.age")) }
        let header = try content(path("rec", name, "opus.age"))
        for bytes in [header, header + [0, 0, 0], [], Array(header.prefix(50)), [0, 0, 0, 0]] {
            let copy = try fixture.copied()
            try write("\(copy.directory)/rec/\(name).opus.age", bytes)
            let outbox = try copy.open()
            #expect(outbox.startup.removed == [name] && outbox.startup.parked.isEmpty)
            #expect(try copy.files("rec") == [])
        }
    }

    @Test func whatNobodyCanOpenIsParkedWithWhatBelongsToIt() throws {
        let name = try unfinished()
        let damaged = [UInt8](repeating: 0, count: 500) + [UInt8](repeating: 7, count: 500)
        try write(path("rec", name, "opus.age"), damaged)
        try write(path("rec", name, "tail"), [])
        let outbox = try fixture.open()
        #expect(outbox.startup.parked == ["\(name).opus.age"] && outbox.waiting().isEmpty)
        let there = ["json.age", "opus.age", "reason.txt", "tail"].map { "\(name).\($0)" }
        #expect(try fixture.files("parked") == there)
        #expect(try content(path("parked", name, "opus.age")) == damaged)
        #expect(try fixture.files("rec") == [])
    }

    /// Names that a cut brought to the card out of their order.
    enum Scattered: CaseIterable {
        case audioAhead, audioAndJournalAhead, manifestAhead, manifestAndAudioAhead, manifestAndJournalAhead
    }

    @Test(arguments: Scattered.allCases) func aPartIsPutTogetherFromBothFolders(scattered: Scattered) throws {
        let name = try unfinished()
        let audio = { try self.move(self.path("rec", name, "opus.age"), self.path("out", name, "opus.age")) }
        let journal = { try self.move(self.path("rec", name, "tail"), self.path("out", name, "tail")) }
        let head = { try self.move(self.path("rec", name, "head.age"), self.path("out", name, "json.age")) }
        switch scattered {
        case .audioAhead: try audio()
        case .audioAndJournalAhead:
            try audio()
            try journal()
        case .manifestAhead: try head()
        case .manifestAndAudioAhead:
            try head()
            try audio()
        case .manifestAndJournalAhead:
            try head()
            try journal()
        }
        let outbox = try fixture.open()
        let item = try #require(outbox.waiting().first)
        #expect(try sound(of: item) == speech(70_000))
        #expect(try fixture.files("rec").allSatisfy { $0 == "spare.tail" })
        #expect(try fixture.copied().open().startup == StartupReport())
    }

    /// A finished recording whose commit did not come that far.
    private func finished() throws -> ItemName {
        let recording = try fixture.open(CallLog.quick).begin(.on)
        try recording.say(70_000)
        try recording.sync()
        try recording.finish()
        return recording.name
    }

    @Test(arguments: [[], ["opus.age"], ["json.age"]]) func aFinishedOneIsCommittedAsItIs(ahead: [String])
        throws
    {
        let name = try finished()
        for ending in ahead { try move(path("rec", name, ending), path("out", name, ending)) }
        let outbox = try fixture.open()
        let item = try #require(outbox.waiting().first)
        #expect(!item.isSealedPart && outbox.waiting().count == 1)
        #expect(try outbox.everythingIsWhole())
        #expect(try fixture.files("rec").allSatisfy { $0 == "spare.tail" })
    }

    @Test func aFinishedOneWhoseAudioRottedIsAPartAgain() throws {
        let name = try finished()
        let audio = path("rec", name, "opus.age")
        var bytes = try content(audio)
        bytes[bytes.count - 10] ^= 1
        try write(audio, bytes)
        let outbox = try fixture.open()
        let item = try #require(outbox.waiting().first)
        #expect(item.isSealedPart)
        #expect(try sound(of: item).count == 70_004)
    }

    @Test func anInterruptedDropIsUndone() throws {
        let item = try fixture.open(CallLog.quick).keep(.on)
        try write(path("out", item.name, "gap.json"), [])
        let outbox = try fixture.open()
        #expect(outbox.waiting() == [item] && outbox.gaps().isEmpty)
        #expect(try fixture.files("out").count == 2)
    }

    @Test(arguments: ["json.age.new", "head.age.new", "tail.new", "tail", "head.age", "json.age"])
    func leftoversWithoutAudioGo(ending: String) throws {
        let name = try #require(ItemName(seq: 9, id: String(repeating: "ab", count: 16)))
        try fixture.put("rec/\(name).\(ending)", [1, 2, 3])
        let outbox = try fixture.open()
        #expect(outbox.startup.removed == [name] && outbox.startup.parked.isEmpty)
        #expect(try fixture.files("rec") == [])
    }

    @Test(arguments: ["json.age.new", "gap.json.new", "tail.new", "opus.age.copy"])
    func whatWasBegunBesideARecordingGoes(ending: String) throws {
        let name = try unfinished()
        let place = ending.hasPrefix("gap") ? "out" : "rec"
        try write(path(place, name, ending), [1, 2, 3])
        _ = try expectPart(name)
    }

    @Test func aCopyWithoutItsRecordingIsKept() throws {
        let name = try #require(ItemName(seq: 9, id: String(repeating: "ab", count: 16)))
        try fixture.put("rec/\(name).opus.age.copy", [1, 2, 3])
        let outbox = try fixture.open()
        #expect(outbox.startup.parked == ["\(name).opus.age.copy"])
        #expect(try content(path("parked", name, "opus.age.copy")) == [1, 2, 3])
    }

    @Test func whatAFullCardCannotMendStaysForTheNextStart() throws {
        let name = try unfinished()
        let full = CallLog { _, call in call.operation == .write ? .tear(after: 2, 28) : nil }
        let report = try fixture.open(full.calls).startup
        #expect(report.problems.count == 1 && report.recovered.isEmpty)
        _ = try expectPart(name)
    }

    @Test func anUnreadableFolderIsSaidAndNothingIsTouched() throws {
        _ = try unfinished()
        let before = try fixture.files("rec")
        let log = CallLog { _, call in
            call.operation == .list && call.path.hasSuffix("/out") ? .fail(5) : nil
        }
        let report = try fixture.open(log.calls).startup
        #expect(report.problems.count == 1 && report.recovered.isEmpty && report.removed.isEmpty)
        #expect(try fixture.files("rec") == before)
    }
}
