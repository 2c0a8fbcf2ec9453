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

@Suite struct InboxSealedTests {
    let folder = TemporaryFolder()
    let plain = Part.noise(7, count: 100_000)

    private func host() throws -> (Inbox, AgeRecipient) {
        let inbox = try Inbox(folder: folder.path)
        return (inbox, try inbox.keys.makeOwn().identity.recipient)
    }

    @Test func aSealedUtteranceIsStoredAsItCameAndOpensAgain() throws {
        let (inbox, key) = try host()
        let audio = Part.sealedAudio(1, plain, to: [key])
        try inbox.receive(Part.sealedManifest(1, audio: audio, to: [key]))
        #expect(try inbox.receive(audio).madeWhole)
        let stored = try #require(try inbox.utterances().first)
        #expect(stored.isWhole)
        #expect(stored.manifest?.sha256 == audio.new.sha256)
        #expect(stored.audio?.path.hasSuffix("\(audio.new.sha256).opus.age") == true)
        #expect(try readFile(#require(stored.audio).path) == audio.bytes)
        #expect(try inbox.plainAudio(Part.id(1)) == plain)
        let check = try inbox.check()
        #expect(check.problems == [])
        #expect(check.checked == 2)
    }

    @Test func theFileIsOpenedBeforeItIsRenamed() throws {
        let watched = Watched()
        let inbox = try Inbox(
            folder: folder.path, calls: watched.calls,
            beforeCommit: { () throws(StoreError) in watched.note("commit") })
        let audio = Part.sealedAudio(1, plain, to: [try inbox.keys.makeOwn().identity.recipient])
        let (upload, _) = try inbox.create(audio.new)
        try inbox.writer(upload.id, from: 0).write(audio.bytes)
        watched.clear()
        _ = try inbox.finish(upload.id)
        let steps = watched.log.filter {
            $0.contains(upload.id) || $0.contains(audio.new.sha256) || $0 == "commit"
        }
        .map { $0.split(separator: " ")[0] }
        // Hashed to the end, opened to the end, and only then synced and renamed.
        #expect(
            steps == [
                "size", "open", "read", "read", "read", "open", "read", "read", "open", "sync", "rename",
                "commit",
            ])
    }

    @Test func anotherKeyIsRefusedWithTheKeysItIsSealedToAndForgotten() throws {
        let (inbox, key) = try host()
        let other = AgeIdentity.generate().recipient
        let audio = Part.sealedAudio(1, plain, to: [other])
        for part in [audio, Part.sealedManifest(2, audio: nil, to: [other])] {
            let error = errorThrown(InboxError.self) { try inbox.receive(part) }
            guard case .unusable(let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.contains(other.description))
            #expect(reason.contains("lapel-host key import"))
            #expect(
                try inbox.find(UploadKey.text(utterance: part.new.utterance, kind: part.new.kind).sha256)
                    == nil)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: inbox.folder.audio) == [])
        // Sealed to several keys, one of them this host's, it is taken.
        try inbox.receive(Part.sealedAudio(1, plain, to: [other, key]))
    }

    /// How a sealed file is spoilt.
    @Test(arguments: [
        "last byte", "first chunk", "last chunk missing", "bytes behind", "not age", "key share",
        "header tag",
    ])
    func aFileThatDoesNotOpenToItsEndIsRefused(damage: String) throws {
        let (inbox, key) = try host()
        var bytes = Part.sealedAudio(1, plain, to: [key]).bytes
        let start = bytes.count - (plain.count + 32)
        switch damage {
        case "last byte": bytes[bytes.count - 1] ^= 1
        case "first chunk": bytes[start + 5] ^= 1
        case "last chunk missing": bytes.removeSubrange((start + 65_552)...)
        case "bytes behind": bytes.append(0)
        case "not age": bytes = plain
        case "key share": bytes[40] ^= 1
        default: bytes[start - 20] ^= 1
        }
        let audio = Part(Part.id(1), .audio, bytes, seq: 1, ext: "opus.age", device: Part.wrist)
        try inbox.receive(Part.sealedManifest(1, audio: audio, to: [key]))
        let error = errorThrown(InboxError.self) { try inbox.receive(audio) }
        guard case .unusable(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasPrefix("The audio of utterance \(Part.id(1)) cannot be opened. "))
        #expect(try inbox.utterances().map(\.isWhole) == [false])
        #expect(try inbox.check().problems == [])
    }

    /// Damage, or a part that a power cut ended? The manifest says; nothing is refused for good before it is here.
    @Test func damageWaitsForItsManifest() throws {
        let (inbox, key) = try host()
        let cut = CutRecording(1, plain, to: [key])
        let waiting = InboxError.manifestFirst(utterance: Part.id(1), kind: "audio")
        #expect(throws: waiting) { try inbox.receive(cut.audio) }
        #expect(throws: InboxError.manifestFirst(utterance: Part.id(1), kind: "tail")) {
            try inbox.receive(cut.tail)
        }
        let again = try Inbox(folder: folder.path)
        #expect(try again.recover() == [])
        for part in cut.parts { try again.receive(part) }
        #expect(try again.utterances().map(\.isWhole) == [true])
    }

    @Test func aSealedManifestIsKeptInTheClearWithItsSealedHash() throws {
        let (inbox, key) = try host()
        let manifest = Part.sealedManifest(1, audio: Part.audio(1), to: [key], text: "participant 12")
        try inbox.receive(manifest)
        #expect(try inbox.utterances().first?.manifest?.participant == "participant 12")
        let upload = try inbox.find(UploadKey.text(utterance: Part.id(1), kind: .manifest).sha256)
        #expect(upload?.sha256 == manifest.new.sha256)
        #expect(upload?.ext == "json.age")
        #expect(try inbox.check().problems == [])
    }

    @Test func aSealedGapRecordIsWholeWithoutAudio() throws {
        let (inbox, key) = try host()
        let gap = Part.sealedManifest(3, audio: nil, to: [key], kind: .gap(lost: [1, 2]))
        #expect(try inbox.receive(gap).madeWhole)
    }

    @Test func aKeyThatCannotBeReadIsTheHostsTroubleAndNotTheRecordings() throws {
        let (inbox, key) = try host()
        let path = inbox.folder.keys + "/host.key"
        let saved = try readFile(path)
        try folder.write("keys/host.key", Array("rubbish\n".utf8))
        let audio = Part.sealedAudio(1, plain, to: [key])
        let error = errorThrown(InboxError.self) { try inbox.receive(audio) }
        guard case .ownKeys(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains(path))
        #expect(!reason.contains("rubbish"))
        #expect(try inbox.check().problems.map(\.kind) == [.key])
        try folder.write("keys/host.key", saved)
        try inbox.receive(audio)
    }

    @Test func aCheckTellsWhichSealedFilesNoKeyOpens() throws {
        let (inbox, key) = try host()
        for seed: UInt64 in 1...2 {
            let audio = Part.sealedAudio(seed, plain, to: [key])
            try inbox.receive(Part.sealedManifest(seed, audio: audio, to: [key]))
            try inbox.receive(audio)
        }
        try FileManager.default.removeItem(atPath: inbox.folder.keys + "/host.key")
        let problems = try inbox.check().problems
        #expect(problems.map(\.kind) == [.sealed, .sealed])
        #expect(problems.allSatisfy { $0.explanation.contains(key.description) })
    }

    // MARK: Other hosts, other devices

    @Test func anotherHostCannotTakeItAndTheFirstOneStillCan() throws {
        let (first, key) = try host()
        let second = try Inbox(folder: folder.file("second"))
        _ = try second.keys.makeOwn()
        let audio = Part.sealedAudio(1, plain, to: [key])
        let manifest = Part.sealedManifest(1, audio: audio, to: [key])
        for part in [manifest, audio] { #expect(throws: InboxError.self) { try second.receive(part) } }
        #expect(try second.utterances() == [])
        for part in [manifest, audio] { try first.receive(part) }
        #expect(try first.utterances().map(\.isWhole) == [true])
    }

    @Test func aReinstalledHostTakesItWithTheOldKey() throws {
        let (old, key) = try host()
        let audio = Part.sealedAudio(1, plain, to: [key])
        let new = try Inbox(folder: folder.file("new"))
        _ = try new.keys.makeOwn()
        #expect(throws: InboxError.self) { try new.receive(audio) }
        try new.keys.keep(try old.keys.all().map(\.identity))
        try new.receive(audio)
        try new.receive(Part.sealedManifest(1, audio: audio, to: [key]))
        #expect(try new.plainAudio(Part.id(1)) == plain)
    }

    /// A card that was cloned, or moved to another board: new keys, the same outbox.
    @Test func theSameUtteranceOfAnotherPinIsTheSameOne() throws {
        let (inbox, key) = try host()
        let audio = Part.sealedAudio(1, plain, to: [key])
        try inbox.receive(Part.sealedManifest(1, audio: audio, to: [key]))
        let (upload, _) = try inbox.create(audio.new)
        try inbox.writer(upload.id, from: 0).write(Array(audio.bytes[..<5000]))
        let clone = Part(Part.id(1), .audio, audio.bytes, seq: 1, ext: "opus.age", device: Part.lapel)
        let (same, state) = try inbox.create(clone.new)
        #expect(same.id == upload.id)
        #expect(state == .partial(offset: 5000))
        try inbox.receive(clone)
        let (_, afterwards) = try inbox.create(audio.new)
        #expect(afterwards == .complete)
        #expect(try inbox.utterances().count == 1)
        #expect(try inbox.plainAudio(Part.id(1)) == plain)
    }

    @Test(arguments: ["sync", "makeFolder", "rename", "syncFolder", "commit"])
    func aHostThatWasKilledOnTheWayOpensItAgainAndCommits(step: String) throws {
        let watched = Watched { call, _ in
            let concerned = (call.to ?? call.path).contains("/audio/") || call.operation == .sync
            return concerned && call.operation.rawValue == step && !call.path.contains("/keys") ? EIO : nil
        }
        let (whole, key) = try host()
        let audio = Part.sealedAudio(1, plain, to: [key])
        try whole.receive(Part.sealedManifest(1, audio: audio, to: [key]))
        do {
            let inbox = try Inbox(
                folder: folder.path, calls: watched.calls,
                beforeCommit: { () throws(StoreError) in
                    if step == "commit" {
                        throw StoreError(operation: "commit", path: "x", code: 10, reason: "I/O")
                    }
                })
            #expect(throws: InboxError.self) { try inbox.receive(audio) }
        }
        let inbox = try Inbox(folder: folder.path)
        let notes = try inbox.recover()
        #expect(notes == ["The audio of utterance \(Part.id(1)) was taken up after a crash."])
        #expect(try inbox.plainAudio(Part.id(1)) == plain)
        #expect(try inbox.check().problems == [])
    }

    @Test func aStoredFileThatNobodyAnnouncedStaysAndIsTold() throws {
        let inbox = try Inbox(folder: folder.path)
        try FileManager.default.createDirectory(
            atPath: folder.file("audio/ab"), withIntermediateDirectories: true)
        let path = try folder.write("audio/ab/stray.opus", [1])
        _ = try inbox.recover()
        #expect(try inbox.check().problems.map(\.subject) == [path])
    }
}
