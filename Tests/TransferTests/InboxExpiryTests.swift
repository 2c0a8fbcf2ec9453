import DurableFiles
import Foundation
import Inbox
import LocalInbox
import TestSupport
import Testing

/// What half uploads leave, and when they go.
@Suite struct InboxExpiryTests {
    let folder = TemporaryFolder()
    private let stray = String(repeating: "ab", count: 32)

    private func age(_ path: String, to seconds: Int64) throws {
        let date = Date(timeIntervalSince1970: Double(seconds))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    @Test func anUploadIsKeptForItsTimeAfterItsLastByte() throws {
        let inbox = try Inbox(folder: folder.path, settings: .init(keepHalfUploads: .seconds(100)))
        let (upload, _) = try inbox.create(Part.audio(1).new)
        try age(inbox.folder.partial(upload.id), to: 5000)
        #expect(inbox.expiry(of: upload) == 5100)
        try inbox.writer(upload.id, from: 0).write([1])
        #expect(inbox.expiry(of: upload) > 5100)
    }

    @Test func housekeepingRemovesStraysAndNothingThatIsOnItsWay() throws {
        let inbox = try Inbox(folder: folder.path)
        let (upload, _) = try inbox.create(Part.audio(1).new)
        // A recording that is being put together has another name.
        let assembly = inbox.folder.incoming + "/" + Part.id(3) + ".whole"
        for path in [inbox.folder.partial(stray), assembly] {
            #expect(FileManager.default.createFile(atPath: path, contents: Data([1])))
        }
        #expect(try inbox.expire() == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: inbox.folder.incoming).sorted()
        #expect(left == [upload.id, Part.id(3) + ".whole"].sorted())
    }

    /// The row goes first: what a crash leaves is a file without one.
    @Test func whatACrashLeavesOfAnExpiredUploadGoesWithTheNextHousekeeping() throws {
        let failing = Failing()
        let watched = Watched { call, _ in failing.isOn && call.operation == .unlink ? EIO : nil }
        let clock = HandClock()
        let inbox = try Inbox(
            folder: folder.path, settings: .init(keepHalfUploads: .seconds(100)), clock: clock.clock,
            calls: watched.calls)
        let (upload, _) = try inbox.create(Part.audio(1).new)
        try age(inbox.folder.partial(upload.id), to: 5)
        clock.advance(seconds: 200)
        failing.turn(on: true)
        let error = errorThrown(InboxError.self) { _ = try inbox.expire() }
        #expect(error != nil)
        failing.turn(on: false)
        #expect(try inbox.find(upload.id) == nil)
        #expect(FileManager.default.fileExists(atPath: inbox.folder.partial(upload.id)))
        #expect(try inbox.expire() == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: inbox.folder.incoming) == [])
        try inbox.receive(Part.audio(1))
    }
}
