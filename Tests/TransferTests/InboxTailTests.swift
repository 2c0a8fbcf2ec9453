import Catalogue
import DurableFiles
import Foundation
import Inbox
import LocalInbox
import SQLiteStore
import Sealing
import Synchronization
import TestSupport
import Testing
import Wire

/// Recordings that a power cut ended: part, tail and the manifest of the press.
@Suite struct InboxTailTests {
    let folder = TemporaryFolder(inMemory: true)
    let key = AgeIdentity.generate()

    private func host(
        salvage: @escaping SoundSalvage = { _, _ in SalvagedSound(frames: 9, rate: 48_000, channels: 2) },
        calls: FileCalls = .system, beforeCommit: (@Sendable () throws(StoreError) -> Void)? = nil
    ) throws -> Inbox {
        try FileManager.default.createDirectory(
            atPath: folder.file("keys"), withIntermediateDirectories: true)
        try folder.write("keys/handed.key", key.file())
        return try Inbox(folder: folder.path, salvage: salvage, calls: calls, beforeCommit: beforeCommit)
    }

    /// Plain bytes, rubbish behind the last whole chunk, where the part file is cut in its header.
    @Test(
        arguments: [
            (0, 0, nil), (1, 0, nil), (3000, 100, nil), (65_535, 0, nil), (65_536, 0, nil), (65_537, 0, nil),
            (65_537, 40_000, nil), (200_000, 65_552, nil), (200_000, 5, nil), (9000, 0, 0), (9000, 0, 60),
        ] as [(Int, Int, Int?)])
    func partAndTailBecomeOneRecording(count: Int, torn: Int, headerCut: Int?) throws {
        let inbox = try host()
        let plain = Part.noise(3, count: count)
        let cut = CutRecording(1, plain, to: [key.recipient], torn: torn, headerCut: headerCut)
        let whole = try cut.parts.map { try inbox.receive($0).madeWhole }
        #expect(whole == [false, false, true])
        #expect(try inbox.plainAudio(Part.id(1)) == plain)
        #expect(try inbox.check().problems == [])
    }

    @Test func theManifestIsCompletedAndTheRecordingSealedToTheHostsOwnKey() throws {
        let inbox = try host()
        let cut = CutRecording(1, Part.noise(3, count: 70_000), to: [key.recipient])
        for part in cut.parts { try inbox.receive(part) }
        let stored = try #require(try inbox.utterances().first)
        let manifest = try #require(stored.manifest)
        #expect(manifest.recovered && manifest.endReason == "recovered")
        #expect(manifest.frames == 9 && manifest.rate == 48_000 && manifest.channels == 2)
        #expect(manifest.sha256 == stored.audio?.sha256)
        #expect(manifest.bytes == stored.audio?.bytes)
        #expect(manifest.bootID == "boot-of-the-wrist")
        let sealed = try readFile(#require(stored.audio).path)
        let own = try inbox.keys.makeOwn().identity
        #expect(try AgeOpener.open(sealed, with: [own]).count == 70_000)
        // What came stays as it came.
        #expect(
            try readFile(inbox.shelf.place(of: ShelfName(sha256: cut.audio.new.sha256, ext: "opus.age")))
                == cut.audio.bytes)
        #expect(
            try readFile(inbox.shelf.place(of: ShelfName(sha256: cut.tail.new.sha256, ext: "tail")))
                == cut.tail.bytes)
    }

    @Test func theRecordingIsMadeValidBeforeItIsSealed() throws {
        let inbox = try host(salvage: { path, format in
            #expect(format == "opus")
            try Data("mended".utf8).write(to: URL(fileURLWithPath: path))
            return SalvagedSound(frames: 3, rate: 8000, channels: 1)
        })
        for part in CutRecording(1, Part.noise(3, count: 6), to: [key.recipient]).parts {
            try inbox.receive(part)
        }
        #expect(try inbox.plainAudio(Part.id(1)) == Array("mended".utf8))
    }

    @Test func theTailMayComeBeforeThePart() throws {
        let inbox = try host()
        let plain = Part.noise(3, count: 70_000)
        let cut = CutRecording(1, plain, to: [key.recipient])
        let whole = try [cut.manifest, cut.tail, cut.audio].map { try inbox.receive($0).madeWhole }
        #expect(whole == [false, false, true])
        #expect(try inbox.plainAudio(Part.id(1)) == plain)
    }

    @Test func aPartIsNoRecordingBeforeItsTailIsHere() throws {
        let inbox = try host()
        let cut = CutRecording(1, Part.noise(3, count: 70_000), to: [key.recipient])
        try inbox.receive(cut.manifest)
        try inbox.receive(cut.audio)
        #expect(try inbox.utterances().first?.audio == nil)
        #expect(try inbox.utterances().first?.isWhole == false)
        #expect(try inbox.check().problems == [])
    }

    /// Each must see the other when it commits, or nobody would put them together.
    @Test func partAndTailAreNotFinishedAtTheSameTime() throws {
        let cut = CutRecording(1, Part.noise(3, count: 70_000), to: [key.recipient])
        let box = Mutex<(inbox: Inbox, id: String)?>(nil)
        let seen = Mutex<InboxError?>(nil)
        let inbox = try host(beforeCommit: {
            guard let (inbox, id) = box.withLock({ $0 }) else { return }
            let error = errorThrown(InboxError.self) { try inbox.finish(id) }
            seen.withLock { $0 = $0 ?? error }
        })
        try inbox.receive(cut.manifest)
        let tail = try inbox.create(cut.tail.new).upload
        try inbox.writer(tail.id, from: 0).write(cut.tail.bytes)
        box.withLock { $0 = (inbox, tail.id) }
        try inbox.receive(cut.audio)
        box.withLock { $0 = nil }
        #expect(seen.withLock { $0 } == .beingFinished)
        #expect(try inbox.finish(tail.id).madeWhole)
    }

    @Test func aPartThatIsWholeNeedsNothingOfItsTail() throws {
        let inbox = try host()
        let plain = Part.noise(3, count: 70_000)
        let cut = CutRecording(1, [], to: [key.recipient])
        let audio = Part.sealedAudio(1, plain, to: [key.recipient])
        for part in [cut.manifest, audio, cut.tail] { try inbox.receive(part) }
        #expect(try inbox.plainAudio(Part.id(1)) == plain)
    }

    @Test(arguments: [nil, 40])
    func aPartForAnotherHostIsRefusedWhicheverOfItIsLegible(headerCut: Int?) throws {
        let inbox = try host()
        let other = AgeIdentity.generate().recipient
        let cut = CutRecording(1, Part.noise(3, count: 70_000), to: [other], headerCut: headerCut)
        let manifest = Part.sealedManifest(1, audio: nil, to: [key.recipient])
        try inbox.receive(manifest)
        let refused = [cut.audio, cut.tail].map { part in
            errorThrown(InboxError.self) { try inbox.receive(part) } != nil
        }
        // With a torn header only the tail tells.
        #expect(refused == (headerCut == nil ? [true, false] : [false, true]))
        #expect(try inbox.utterances().first?.isWhole == false)
    }

    @Test func aSalvageThatDidNotWorkGivesNoReceiptAndIsTriedAgain() throws {
        struct Trouble: Error {}
        let cut = CutRecording(1, Part.noise(3, count: 70_000), to: [key.recipient])
        do {
            let inbox = try host(salvage: { _, _ in throw Trouble() })
            try inbox.receive(cut.manifest)
            try inbox.receive(cut.audio)
            let error = errorThrown(InboxError.self) { try inbox.receive(cut.tail) }
            guard case .salvage = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        let inbox = try host()
        #expect(try inbox.recover() == ["The tail of utterance \(Part.id(1)) was taken up after a crash."])
        #expect(try inbox.utterances().map(\.isWhole) == [true])
    }

    @Test func whatCannotBeDecodedIsKeptAndSaysSo() throws {
        let inbox = try host(salvage: { _, _ in .unknown })
        for part in CutRecording(1, Part.noise(3, count: 10), to: [key.recipient]).parts {
            try inbox.receive(part)
        }
        let stored = try #require(try inbox.utterances().first)
        #expect(stored.isWhole)
        #expect(stored.manifest?.frames == 0)
        #expect(stored.manifest?.rate == 16_000)
        #expect(stored.manifest?.recovered == true)
    }

    /// The plain bytes stand nowhere on the disk, not even for a moment.
    @Test func nothingPlainIsWrittenToTheDisk() throws {
        let marker = Array(repeating: UInt8(ascii: "M"), count: 1000)
        let seen = TemporaryFolder()
        let inbox = try host(salvage: { [folder] _, _ in
            for name in FileManager.default.enumerator(atPath: folder.path)! {
                let path = folder.file("\(name)")
                guard let bytes = FileManager.default.contents(atPath: path) else { continue }
                if bytes.range(of: Data(marker)) != nil { try seen.write("found", Array(path.utf8)) }
            }
            return .unknown
        })
        for part in CutRecording(1, marker + marker, to: [key.recipient]).parts { try inbox.receive(part) }
        #expect(!FileManager.default.fileExists(atPath: seen.file("found")))
    }

    @Test(arguments: ["open", "create", "read", "write", "sync", "rename", "syncFolder", "commit"])
    func aStepThatFailsGivesNoReceiptAndTheNextTryDoes(step: String) throws {
        let failing = Failing()
        let inbox = try host(
            calls: FileCalls { failing.isOn && $0.operation.rawValue == step ? .fail(EIO) : nil },
            beforeCommit: { () throws(StoreError) in
                if failing.isOn, step == "commit" {
                    throw StoreError(operation: "commit", path: "x", code: 10, reason: "I/O")
                }
            })
        let plain = Part.noise(3, count: 70_000)
        let cut = CutRecording(1, plain, to: [key.recipient])
        _ = try inbox.keys.makeOwn()
        try inbox.receive(cut.manifest)
        try inbox.receive(cut.audio)
        let (upload, _) = try inbox.create(cut.tail.new)
        try inbox.writer(upload.id, from: 0).write(cut.tail.bytes)
        failing.turn(on: true)
        #expect(throws: InboxError.self) { try inbox.finish(upload.id) }
        let complete = try inbox.find(upload.id)?.complete
        #expect(complete == false)
        failing.turn(on: false)
        #expect(try inbox.finish(upload.id).madeWhole)
        #expect(try inbox.plainAudio(Part.id(1)) == plain)
        // Nothing half made is left: the part, the tail, and what was made of them.
        #expect(try inbox.check().problems == [])
    }

    /// The power went when a chunk was just complete: the device's journal is empty, and the host's row alone may be
    /// what a crash of the host left of it.
    @Test func anEmptyTailNeedsNoFile() throws {
        let inbox = try host()
        let cut = CutRecording(1, [], to: [key.recipient])
        #expect(cut.tail.bytes.isEmpty)
        try inbox.receive(cut.manifest)
        try inbox.receive(cut.audio)
        let (upload, _) = try inbox.create(cut.tail.new)
        try FileManager.default.removeItem(atPath: inbox.folder.partial(upload.id))
        #expect(try inbox.finish(upload.id).madeWhole)
        #expect(try inbox.check().problems == [])
    }

    /// Every call from the n-th on fails, as for a process that died there; then the host starts again.
    @Test(arguments: 0..<120)
    func aCrashAtAnyCallEndsRight(last: Int) throws {
        let plain = Part.noise(3, count: 70_000)
        let cut = CutRecording(1, plain, to: [key.recipient])
        var receipts: [Part] = []
        do {
            let watched = Watched { _, number in number >= last ? EIO : nil }
            if let inbox = try? host(calls: watched.calls) {
                for part in cut.parts where (try? inbox.receive(part)) != nil { receipts.append(part) }
            }
        }
        let inbox = try host()
        _ = try inbox.recover()
        for part in receipts {
            let (_, state) = try inbox.create(part.new)
            #expect(state == .complete)
        }
        for part in cut.parts { try inbox.receive(part) }
        #expect(try inbox.utterances().map(\.isWhole) == [true])
        #expect(try inbox.plainAudio(Part.id(1)) == plain)
        #expect(try inbox.check().problems == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: inbox.folder.incoming) == [])
    }
}
