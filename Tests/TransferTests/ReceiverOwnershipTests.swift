import Inbox
import Receiver
import TestSupport
import Testing
import Wire

/// Who may ask for an upload: whoever created it, or announced the same one. To everybody else it is not there.
@Suite struct ReceiverOwnershipTests {
    private let part = Part.audio(1)

    @Test func somebodyElsesUploadIsAnsweredAsOneThatNeverWas() throws {
        let world = try ReceiverWorld()
        let mine = try world.client()
        _ = try mine.create(part)
        _ = try mine.patch(part, from: 0, Array(part.bytes[..<500]))
        let other = try world.client(ReceiverWorld.lapel)
        let missing = Part.audio(2)
        #expect(try other.head(part) == other.head(missing))
        #expect(try other.patch(part, from: 500, [1]) == other.patch(missing, from: 500, [1]))
        let deleted = try other.request("DELETE", part.path)
        let never = try other.request("DELETE", missing.path)
        #expect(deleted == never)
        #expect(deleted.status == 404)
        // Nothing happened to it, and its owner's log names who asked.
        #expect(try mine.head(part).headers["upload-offset"] == "500")
        let asked = world.events.filter { event in
            if case .refused(_, part.path, 404, _, ReceiverWorld.lapel.pinHex) = event { true } else { false }
        }
        #expect(asked.count == 3)
    }

    /// A device that was paired anew goes on with what it began under its old key.
    @Test func aReKeyedDeviceGoesOnOnceItHasAnnouncedTheSameUpload() throws {
        let world = try ReceiverWorld()
        let old = try world.client()
        _ = try old.create(part)
        _ = try old.patch(part, from: 0, Array(part.bytes[..<500]))
        let new = try world.client(ReceiverWorld.lapel)
        #expect(try new.head(part).status == 404)
        let created = try new.create(part)
        #expect(created.status == 201)
        #expect(created.headers["upload-offset"] == "500")
        let last = try new.patch(part, from: 500, Array(part.bytes[500...]))
        #expect(last.headers["repr-digest"] == part.receipt)
        #expect(try old.head(part).headers["repr-digest"] == part.receipt)
    }

    @Test func whoDoesNotKnowTheHashLearnsNothingAndHoldsNothing() throws {
        let world = try ReceiverWorld()
        _ = try world.client().create(part)
        let guess = Part(Part.id(1), .audio, [1, 2, 3], seq: 1, ext: "opus", device: Part.wrist)
        let other = try world.client(ReceiverWorld.lapel)
        #expect(try other.create(guess).status == 422)
        #expect(try other.head(part).status == 404)
    }
}
