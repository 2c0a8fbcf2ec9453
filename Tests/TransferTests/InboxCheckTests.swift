import Catalogue
import Foundation
import Inbox
import LocalInbox
import TestSupport
import Testing
import Wire

@Suite struct InboxCheckTests {
    let folder = TemporaryFolder()

    /// Two whole utterances.
    private func filled() throws -> Inbox {
        let inbox = try Inbox(folder: folder.path)
        for seed: UInt64 in 1...2 {
            let audio = Part.audio(seed)
            try inbox.receive(Part.manifest(seed, audio: audio))
            try inbox.receive(audio)
        }
        return inbox
    }

    @Test func everythingStoredIsChecked() throws {
        let check = try filled().check()
        #expect(check.checked == 4)
        #expect(check.problems == [])
    }

    @Test func aFlippedBitIsFound() throws {
        let inbox = try filled()
        let path = inbox.shelf.place(of: ShelfName(sha256: Part.audio(1).new.sha256, ext: "opus"))
        var bytes = Part.audio(1).bytes
        bytes[17] ^= 4
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let problems = try inbox.check().problems
        #expect(problems.map(\.kind) == [.damaged])
        #expect(problems.map(\.subject) == [path])
    }

    @Test func aMissingFileIsFound() throws {
        let inbox = try filled()
        try FileManager.default.removeItem(
            atPath: inbox.shelf.place(of: ShelfName(sha256: Part.audio(2).new.sha256, ext: "opus")))
        #expect(try inbox.check().problems.map(\.kind) == [.missing])
    }

    @Test func aFileWithoutARowIsFound() throws {
        let inbox = try filled()
        try FileManager.default.createDirectory(
            atPath: folder.file("audio/zz"), withIntermediateDirectories: true)
        try folder.write("audio/zz/stray.opus", [1])
        #expect(try inbox.check().problems.map(\.kind) == [.stray])
    }

    @Test func aManifestThatNamesAnotherRecordingIsFound() throws {
        let inbox = try Inbox(folder: folder.path)
        try inbox.receive(Part.manifest(1, audio: Part.audio(2)))
        try inbox.receive(Part.audio(1))
        #expect(try inbox.check().problems.map(\.kind) == [.mismatched])
        #expect(try inbox.utterances().map(\.isWhole) == [false])
    }

    @Test func aHalfUploadIsNoProblem() throws {
        let inbox = try filled()
        let part = Part.audio(3)
        let (upload, _) = try inbox.create(part.new)
        try inbox.writer(upload.id, from: 0).write([1, 2, 3])
        #expect(try inbox.check().problems == [])
    }
}
