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

/// Withdrawn speech: gone, answered for, and never taken again.
@Suite struct InboxForgettingTests {
    let folder = TemporaryFolder()
    let audio = Part.audio(1)

    private var parts: [Part] { [Part.manifest(1, audio: audio), audio] }

    /// One whole utterance.
    private func filled() throws -> Inbox {
        let inbox = try Inbox(folder: folder.path)
        for part in parts { try inbox.receive(part) }
        return inbox
    }

    private func storedFiles(_ inbox: Inbox) throws -> [String] {
        try #require(FileManager.default.enumerator(atPath: inbox.folder.audio)).compactMap { "\($0)" }
            .filter { $0.contains(".") }
    }

    @Test func nothingOfItIsListedOrStored() throws {
        let inbox = try filled()
        #expect(try inbox.forget(utterance: Part.id(1)))
        #expect(try inbox.utterances() == [])
        #expect(try storedFiles(inbox) == [])
        #expect(try inbox.check().problems == [])
        #expect(try inbox.forgotten().map(\.id) == [Part.id(1)])
    }

    @Test func itsDeviceGetsTheReceiptAndLetsGo() throws {
        let inbox = try filled()
        _ = try inbox.forget(utterance: Part.id(1))
        for part in parts {
            let (upload, created) = try inbox.create(part.new)
            #expect(created == .complete)
            #expect(upload.sha256 == part.new.sha256)
            let asked = try inbox.state(of: upload.id)?.state
            #expect(asked == .complete)
        }
        #expect(try inbox.utterances() == [])
        #expect(try storedFiles(inbox) == [])
    }

    @Test func aPartThatHadNotComeYetIsAnsweredToo() throws {
        let inbox = try Inbox(folder: folder.path)
        try inbox.receive(Part.manifest(1, audio: audio))
        _ = try inbox.forget(utterance: Part.id(1))
        let (upload, state) = try inbox.create(audio.new)
        #expect(state == .complete)
        #expect(upload.sha256 == audio.new.sha256)
        #expect(throws: InboxError.alreadyComplete) { try inbox.writer(upload.id, from: 0) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: inbox.folder.incoming) == [])
        #expect(try inbox.utterances() == [])
    }

    @Test func otherContentUnderItsNameIsStillRefused() throws {
        let inbox = try filled()
        _ = try inbox.forget(utterance: Part.id(1))
        let other = Part(Part.id(1), .audio, [1, 2, 3], seq: 1, ext: "opus", device: Part.wrist)
        #expect(throws: InboxError.conflicting(utterance: Part.id(1), kind: "audio")) {
            try inbox.create(other.new)
        }
    }

    @Test func anUploadOnItsWayEnds() throws {
        let inbox = try Inbox(folder: folder.path)
        let (upload, _) = try inbox.create(audio.new)
        let writer = try inbox.writer(upload.id, from: 0)
        try writer.write(Array(audio.bytes[..<500]))
        #expect(try inbox.forget(utterance: Part.id(1)))
        #expect(throws: InboxError.superseded) { try writer.write([1]) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: inbox.folder.incoming) == [])
        let state = try inbox.state(of: upload.id)?.state
        #expect(state == .complete)
    }

    /// Withdrawn by another program, between the rename and the commit.
    @Test func whatIsJustBeingFinishedIsDropped() throws {
        let inbox = try Inbox(
            folder: folder.path,
            beforeCommit: { [folder] () throws(StoreError) in
                guard let other = try? Inbox(folder: folder.path) else { return }
                _ = try? other.forget(utterance: Part.id(1))
            })
        #expect(try !inbox.receive(audio).madeWhole)
        #expect(try inbox.utterances() == [])
        #expect(try storedFiles(inbox) == [])
        let (_, state) = try inbox.create(audio.new)
        #expect(state == .complete)
        #expect(try inbox.check().problems == [])
    }

    @Test func equalContentOfAnotherUtteranceStays() throws {
        let inbox = try filled()
        try inbox.receive(Part(Part.id(2), .audio, audio.bytes, seq: 2, ext: "opus", device: Part.lapel))
        _ = try inbox.forget(utterance: Part.id(1))
        #expect(try storedFiles(inbox).count == 1)
        #expect(try inbox.check().problems == [])
        _ = try inbox.forget(utterance: Part.id(2))
        #expect(try storedFiles(inbox) == [])
    }

    @Test func allThatWasMadeOfACutRecordingGoesWithIt() throws {
        let inbox = try Inbox(folder: folder.path)
        let key = try inbox.keys.makeOwn().identity.recipient
        for part in CutRecording(1, Part.noise(3, count: 70_000), to: [key]).parts { try inbox.receive(part) }
        #expect(try storedFiles(inbox).count == 3)
        _ = try inbox.forget(utterance: Part.id(1))
        #expect(try storedFiles(inbox) == [])
        #expect(try inbox.check().problems == [])
    }

    @Test func theManifestsTextStandsNowhereAnyMore() throws {
        let marker = "marker-of-what-was-said-" + String(repeating: "x", count: 5000)
        do {
            let inbox = try Inbox(folder: folder.path)
            let key = try inbox.keys.makeOwn().identity.recipient
            try inbox.receive(Part.sealedManifest(1, audio: audio, to: [key], text: marker))
            try inbox.receive(Part.manifest(2))
            #expect(try holds("marker-of-what-was-said-"))
            _ = try inbox.forget(utterance: Part.id(1))
            #expect(try !holds("marker-of-what-was-said-"))
        }
        #expect(try !holds("xxxxxxxxxxxxxxxxxxxx"))
    }

    private func holds(_ text: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { name in
            FileManager.default.contents(atPath: folder.file(name))?.range(of: Data(text.utf8)) != nil
        }
    }

    @Test func whatWasNeverHereCannotBeForgotten() throws {
        #expect(try !filled().forget(utterance: Part.id(2)))
    }

    @Test func forgettingTwiceIsForgettingOnce() throws {
        let inbox = try filled()
        #expect(try inbox.forget(utterance: Part.id(1)))
        #expect(try inbox.forget(utterance: Part.id(1)))
        #expect(try inbox.forgotten().count == 1)
    }

    @Test func itCountsInNoQuota() throws {
        let inbox = try Inbox(folder: folder.path, settings: .init(quotaPerDevice: 1500))
        try inbox.receive(audio)
        _ = try inbox.forget(utterance: Part.id(1))
        try inbox.receive(Part.audio(2))
    }

    /// Every call from the n-th on fails; then the host starts again.
    @Test(arguments: 0..<30)
    func aCrashOnTheWayEndsAtTheNextStart(last: Int) throws {
        _ = try filled()
        let watched = Watched { _, number in number >= last ? EIO : nil }
        var marked = false
        if let inbox = try? Inbox(folder: folder.path, calls: watched.calls) {
            _ = try? inbox.forget(utterance: Part.id(1))
            marked = try !inbox.forgotten().isEmpty
        }
        let inbox = try Inbox(folder: folder.path)
        _ = try inbox.recover()
        #expect(try inbox.utterances().isEmpty == marked)
        #expect(try storedFiles(inbox).isEmpty == marked)
        #expect(try inbox.check().problems == [])
    }
}
