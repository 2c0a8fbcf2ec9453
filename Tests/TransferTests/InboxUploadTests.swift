import DurableFiles
import Foundation
import LocalInbox
import TestSupport
import Testing
import Wire

@testable import Inbox

@Suite struct InboxUploadTests {
    let folder = TemporaryFolder()

    @Test func aRepeatedCreationFindsTheFirstOneAndItsOffset() throws {
        let inbox = try Inbox(folder: folder.path)
        let part = Part.audio(1)
        let (first, _) = try inbox.create(part.new)
        try inbox.writer(first.id, from: 0).write(Array(part.bytes[..<300]))
        let (again, state) = try inbox.create(part.new)
        #expect(again == first)
        #expect(state == .partial(offset: 300))
    }

    @Test func aRepeatedCreationOfACompleteUploadIsComplete() throws {
        let inbox = try Inbox(folder: folder.path)
        try inbox.receive(Part.audio(1))
        let (_, state) = try inbox.create(Part.audio(1).new)
        #expect(state == .complete)
    }

    @Test func anotherDeviceFindsTheSameUpload() throws {
        let inbox = try Inbox(folder: folder.path)
        let (first, _) = try inbox.create(Part.audio(1, device: Part.wrist).new)
        let (second, _) = try inbox.create(Part.audio(1, device: Part.lapel).new)
        #expect(first == second)
    }

    /// Shorter, and as long.
    @Test(arguments: [3, 1000]) func otherContentUnderTheSameNameIsRefused(count: Int) throws {
        let inbox = try Inbox(folder: folder.path)
        try inbox.receive(Part.audio(1, count: 1000))
        let bytes = [UInt8](repeating: 7, count: count)
        let other = Part(Part.id(1), .audio, bytes, seq: 1, ext: "opus", device: Part.wrist)
        #expect(throws: InboxError.conflicting(utterance: Part.id(1), kind: "audio")) {
            try inbox.create(other.new)
        }
    }

    @Test func anOlderWriterWritesNothingAfterANewerOne() throws {
        let inbox = try Inbox(folder: folder.path)
        let part = Part.audio(1)
        let (upload, _) = try inbox.create(part.new)
        let older = try inbox.writer(upload.id, from: 0)
        try older.write(Array(part.bytes[..<100]))
        let newer = try inbox.writer(upload.id, from: 100)
        #expect(throws: InboxError.superseded) { try older.write([0xFF]) }
        try newer.write(Array(part.bytes[100...]))
        #expect(try inbox.finish(upload.id).upload.id == upload.id)
    }

    @Test func aHalfUploadWhoseFileVanishesBeginsAnew() throws {
        let inbox = try Inbox(folder: folder.path)
        let part = Part.audio(1)
        let (upload, _) = try inbox.create(part.new)
        try inbox.writer(upload.id, from: 0).write(part.bytes)
        try FileManager.default.removeItem(atPath: inbox.folder.partial(upload.id))
        #expect(throws: InboxError.self) { try inbox.finish(upload.id) }
        #expect(try inbox.create(part.new).state == .partial(offset: 0))
        try inbox.writer(upload.id, from: 0).write(part.bytes)
        #expect(try inbox.finish(upload.id).upload.id == upload.id)
    }

    @Test func askingWhereItStandsPutsTheWriterOut() throws {
        let inbox = try Inbox(folder: folder.path)
        let (upload, _) = try inbox.create(Part.audio(1).new)
        let writer = try inbox.writer(upload.id, from: 0)
        _ = try inbox.state(of: upload.id)
        #expect(throws: InboxError.superseded) { try writer.write([1]) }
    }

    @Test func aWriterAtAnotherOffsetIsRefused() throws {
        let inbox = try Inbox(folder: folder.path)
        let (upload, _) = try inbox.create(Part.audio(1).new)
        #expect(throws: InboxError.wrongOffset(stands: 0, asked: 5)) { try inbox.writer(upload.id, from: 5) }
    }

    @Test func moreBytesThanAnnouncedAreRefused() throws {
        let inbox = try Inbox(folder: folder.path)
        let part = Part.audio(1, count: 10)
        let (upload, _) = try inbox.create(part.new)
        let writer = try inbox.writer(upload.id, from: 0)
        #expect(throws: InboxError.tooMuch(length: 10)) { try writer.write([UInt8](repeating: 0, count: 11)) }
        #expect(writer.offset == 0)
    }

    @Test func anUnfinishedUploadIsNotFinished() throws {
        let inbox = try Inbox(folder: folder.path)
        let (upload, _) = try inbox.create(Part.audio(1).new)
        #expect(throws: InboxError.unfinished(stands: 0, length: 1000)) { try inbox.finish(upload.id) }
    }

    @Test func anEmptyUploadIsFinishedAtOnce() throws {
        let inbox = try Inbox(folder: folder.path)
        try inbox.receive(Part.audio(1, count: 0))
        #expect(try inbox.check().problems == [])
    }

    @Test func theOffsetSurvivesARestart() throws {
        let part = Part.audio(1)
        let id: String
        do {
            let inbox = try Inbox(folder: folder.path)
            id = try inbox.create(part.new).upload.id
            try inbox.writer(id, from: 0).write(Array(part.bytes[..<123]))
        }
        let inbox = try Inbox(folder: folder.path)
        let state = try inbox.state(of: id)?.state
        #expect(state == .partial(offset: 123))
    }

    @Test func aFullDiskIsToldAtCreationAndLeavesNothing() throws {
        let watched = Watched { call, _ in call.operation == .reserve ? ENOSPC : nil }
        let inbox = try Inbox(folder: folder.path, calls: watched.calls)
        let error = errorThrown(InboxError.self) { try inbox.create(Part.audio(1).new) }
        #expect(error?.isFull == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: inbox.folder.incoming) == [])
    }

    @Test func aDevicesQuotaBoundsWhatItCreates() throws {
        let inbox = try Inbox(folder: folder.path, settings: .init(quotaPerDevice: 1500))
        try inbox.receive(Part.audio(1))
        #expect(throws: InboxError.overQuota(limit: 1500)) { try inbox.create(Part.audio(2).new) }
        try inbox.receive(Part.audio(3, device: Part.lapel))
    }

    @Test func aCompleteUploadIsNotRemoved() throws {
        let inbox = try Inbox(folder: folder.path)
        let finished = try inbox.receive(Part.audio(1))
        #expect(throws: InboxError.alreadyComplete) { try inbox.remove(finished.upload.id) }
    }

    @Test func aRemovedUploadIsUnknown() throws {
        let inbox = try Inbox(folder: folder.path)
        let (upload, _) = try inbox.create(Part.audio(1).new)
        let writer = try inbox.writer(upload.id, from: 0)
        try inbox.remove(upload.id)
        #expect(throws: InboxError.superseded) { try writer.write([1]) }
        #expect(throws: InboxError.unknownUpload) { try inbox.writer(upload.id, from: 0) }
    }

    /// Half uploads by the age of creation and last byte in seconds; kept for 100 s after the last byte.
    @Test func oldHalfUploadsAreForgottenAndWholeOnesNever() throws {
        let clock = HandClock()
        let inbox = try Inbox(
            folder: folder.path, settings: .init(keepHalfUploads: .seconds(100)), clock: clock.clock)
        try inbox.receive(Part.audio(1))
        func half(_ seed: UInt64, lastByte age: Int64) throws -> String {
            let id = try inbox.create(Part.audio(seed).new).upload.id
            let written = Date(
                timeIntervalSince1970: Double(clock.clock.now().wall / 1_000_000_000 + 120 - age))
            try FileManager.default.setAttributes(
                [.modificationDate: written], ofItemAtPath: inbox.folder.partial(id))
            return id
        }
        let old = try half(2, lastByte: 120)
        let fed = try half(3, lastByte: 60)
        clock.advance(seconds: 60)
        let young = try half(4, lastByte: 120)
        clock.advance(seconds: 60)
        #expect(try inbox.expire() == 1)
        #expect(try inbox.find(old) == nil)
        #expect(try inbox.find(fed) != nil)
        #expect(try inbox.find(young) != nil)
        #expect(try inbox.utterances().count == 1)
    }

    @Test func nobodyElseMayReadTheDatabase() throws {
        let inbox = try Inbox(folder: folder.path)
        try inbox.receive(Part.audio(1))
        for name in ["lapel.db", "lapel.db-wal"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func aFolderHasOneServer() throws {
        let inbox = try Inbox(folder: folder.path)
        let lock = try ServingLock(inbox)
        #expect(throws: InboxError.inUse(folder: folder.path)) { _ = try ServingLock(inbox) }
        withExtendedLifetime(lock) {}
    }
}
