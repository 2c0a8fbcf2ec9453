import Catalogue
import DurableFiles
import Foundation
import Inbox
import LocalInbox
import SQLiteStore
import Sealing
import TestSupport
import Testing
import Wire

@Suite struct InboxCustodyTests {
    let folder = TemporaryFolder()

    @Test func theCommitComesAfterHashSyncRenameAndFolderSync() throws {
        let watched = Watched()
        let inbox = try Inbox(
            folder: folder.path, calls: watched.calls,
            beforeCommit: { () throws(StoreError) in watched.note("commit") })
        let part = Part.audio(1)
        let (upload, _) = try inbox.create(part.new)
        try inbox.writer(upload.id, from: 0).write(part.bytes)
        watched.clear()
        _ = try inbox.finish(upload.id)
        // That the folder itself is on the disk is made sure of again; it is no step of this.
        let steps = watched.log.filter { $0 != "syncFolder \(folder.path)" }.map {
            $0.split(separator: " ")[0]
        }.filter {
            ["read", "sync", "rename", "syncFolder", "commit"].contains($0)
        }
        // Reads to the end, then the sync; a new shelf is synced in audio/ before anything is put on it.
        #expect(steps == ["read", "read", "sync", "syncFolder", "rename", "syncFolder", "commit"])
        #expect(watched.log.last == "commit")
    }

    @Test(arguments: ["sync", "makeFolder", "rename", "syncFolder", "commit"])
    func aFailedStepGivesNoReceiptAndTheNextStartGivesIt(step: String) throws {
        // The shelf and what goes onto it, and the file's own sync before that.
        let watched = Watched { call, _ in
            let concerned = (call.to ?? call.path).contains("/audio/") || call.operation == .sync
            return concerned && call.operation.rawValue == step ? EIO : nil
        }
        let part = Part.audio(1)
        do {
            let inbox = try Inbox(
                folder: folder.path, calls: watched.calls,
                beforeCommit: { () throws(StoreError) in
                    if step == "commit" {
                        throw StoreError(operation: "commit", path: "x", code: 10, reason: "I/O")
                    }
                })
            #expect(throws: InboxError.self) { try inbox.receive(part) }
            let id = try inbox.create(part.new).upload.id
            let complete = try inbox.state(of: id)?.state == .complete
            #expect(!complete)
        }
        let inbox = try Inbox(folder: folder.path)
        _ = try inbox.recover()
        let (_, state) = try inbox.create(part.new)
        #expect(state == .complete)
        #expect(try inbox.check().problems == [])
    }

    @Test(arguments: 0..<60)
    func aCrashAtAnyCallLosesNothingThatHadItsReceipt(last: Int) throws {
        let audio = Part.audio(1)
        let parts = [Part.manifest(1, audio: audio), audio]
        var receipts: [Part] = []
        do {
            let watched = Watched { _, number in number >= last ? EIO : nil }
            if let inbox = try? Inbox(folder: folder.path, calls: watched.calls) {
                for part in parts where (try? inbox.receive(part)) != nil { receipts.append(part) }
            }
        }
        let inbox = try Inbox(folder: folder.path)
        _ = try inbox.recover()
        for part in receipts {
            let (_, state) = try inbox.create(part.new)
            #expect(state == .complete)
        }
        for part in parts { try inbox.receive(part) }
        #expect(try inbox.utterances().map(\.isWhole) == [true])
        #expect(try inbox.check().problems == [])
    }

    @Test func anUploadIsStoredUnderItsContentsName() throws {
        let inbox = try Inbox(folder: folder.path)
        let part = Part.audio(1)
        try inbox.receive(part)
        let path = inbox.shelf.place(of: ShelfName(sha256: part.new.sha256, ext: "opus"))
        #expect(FileManager.default.contents(atPath: path).map(Array.init) == part.bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: inbox.folder.incoming) == [])
    }

    @Test func equalContentIsOneFile() throws {
        let inbox = try Inbox(folder: folder.path)
        let first = Part.audio(1)
        let second = Part(Part.id(2), .audio, first.bytes, seq: 2, ext: "opus", device: Part.lapel)
        try inbox.receive(first)
        try inbox.receive(second)
        let shelf = inbox.folder.audio + "/" + first.new.sha256.prefix(2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: shelf).count == 1)
        #expect(try inbox.utterances().count == 2)
        #expect(try inbox.check().problems == [])
    }

    @Test func aWrongHashSetsTheUploadBackToItsStart() throws {
        let inbox = try Inbox(folder: folder.path)
        let good = Part.audio(1)
        let (upload, _) = try inbox.create(good.new)
        var bad = good.bytes
        bad[500] ^= 1
        try inbox.writer(upload.id, from: 0).write(bad)
        let found = SHA256.digest(of: bad).hex
        #expect(throws: InboxError.wrongHash(announced: good.new.sha256, found: found)) {
            try inbox.finish(upload.id)
        }
        let state = try inbox.state(of: upload.id)?.state
        #expect(state == .partial(offset: 0))
        try inbox.receive(good)
        #expect(try inbox.check().problems == [])
    }

    @Test func aManifestThatCannotBeReadIsForgotten() throws {
        let inbox = try Inbox(folder: folder.path)
        let part = Part(Part.id(1), .manifest, Array("{}".utf8), seq: 1, ext: "json", device: Part.wrist)
        #expect(throws: InboxError.self) { try inbox.receive(part) }
        #expect(try inbox.find(SHA256.digest(of: Array("\(Part.id(1))/manifest".utf8)).hex) == nil)
        try inbox.receive(Part.manifest(1))
    }

    @Test func aManifestOfAnotherUtteranceIsRefused() throws {
        let inbox = try Inbox(folder: folder.path)
        let other = Part(
            Part.id(2), .manifest, Part.manifest(1).bytes, seq: 2, ext: "json", device: Part.wrist)
        #expect(
            throws: InboxError.unusable(
                reason: "The manifest is of utterance \(Part.id(1)), not of \(Part.id(2)).")
        ) { try inbox.receive(other) }
    }

    @Test func anUtteranceIsWholeWithItsSecondPartWhicheverComesFirst() throws {
        let inbox = try Inbox(folder: folder.path)
        for seed: UInt64 in 1...2 {
            let audio = Part.audio(seed)
            let manifest = Part.manifest(seed, audio: audio)
            let parts = seed == 1 ? [audio, manifest] : [manifest, audio]
            #expect(try parts.map { try inbox.receive($0).madeWhole } == [false, true])
        }
    }

    @Test func aGapRecordIsWholeWithoutAudio() throws {
        let inbox = try Inbox(folder: folder.path)
        let finished = try inbox.receive(Part.manifest(9, kind: .gap(lost: [7, 8])))
        #expect(finished.madeWhole)
    }

    @Test func leftoversInIncomingAreClearedAtStart() throws {
        let inbox = try Inbox(folder: folder.path)
        let half = Part.audio(1)
        let (upload, _) = try inbox.create(half.new)
        try inbox.writer(upload.id, from: 0).write(Array(half.bytes[..<10]))
        try folder.write("incoming/stray", [1, 2, 3])
        _ = try inbox.recover()
        #expect(try FileManager.default.contentsOfDirectory(atPath: inbox.folder.incoming) == [upload.id])
    }
}
