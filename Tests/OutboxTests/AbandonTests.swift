import DurableFiles
import Foundation
import Glibc
import Outbox
import TestSupport
import Testing
import Wire

/// A recording that could not be finished, while the device goes on.
@Suite struct AbandonTests {
    private let fixture = Fixture(inMemory: true)

    /// A card on which no manifest can be written any more.
    private var failing: FileCalls {
        CallLog { _, call in
            call.operation == .write && call.path.contains(".json.age") ? .fail(EIO) : nil
        }.calls
    }

    @Test func whatIsOnTheCardWaitsAtOnce() throws {
        let outbox = try fixture.open(failing)
        let recording = try outbox.begin(.on)
        try recording.append(speech(70_000))
        try recording.sync()
        try recording.append([1, 2, 3])
        let report = recording.abandon()
        #expect(report.recovered == [recording.name] && report.problems.isEmpty)
        let item = try #require(outbox.waiting().first)
        #expect(item.isSealedPart && outbox.counts().recording == 0)
        #expect(try sound(of: item) == speech(70_000) + [1, 2, 3], "the last bytes as well")
        #expect(try outbox.everythingIsWhole())
        #expect(try fixture.copied().open().waiting().map(\.name) == [item.name])
    }

    @Test func aFinishThatFailedLosesNothingEither() throws {
        let outbox = try fixture.open(failing)
        let recording = try outbox.begin(.on)
        try recording.say(70_000)
        #expect(throws: OutboxError.self) { try recording.finish() }
        let report = recording.abandon()
        #expect(report.recovered == [recording.name])
        #expect(try sound(of: try #require(outbox.waiting().first)).count == 70_004)
    }

    @Test(arguments: Seal.allCases, [".opus", ".json"])
    func aCommitThatFailedIsDoneByHand(seal: Seal, file: String) throws {
        let seen = Counter()
        let log = CallLog { _, call in
            let isMove = call.operation == .rename && call.to?.contains("/out/") == true
            return isMove && call.path.contains(file) && seen.next() == 0 ? .fail(EIO) : nil
        }
        let outbox = try fixture.open(log.calls)
        let recording = try outbox.begin(seal)
        try recording.say(10)
        try recording.finish()
        #expect(throws: OutboxError.self) { try recording.commit() }
        #expect(!recording.isCommitted && outbox.waiting().isEmpty)
        #expect(recording.abandon().recovered == [recording.name])
        #expect(outbox.waiting().count == 1 && !outbox.waiting()[0].isSealedPart)
        #expect(try outbox.everythingIsWhole())
    }

    @Test func aClearOneIsSalvaged() throws {
        let outbox = try fixture.open()
        let recording = try outbox.begin()
        try recording.say(10)
        #expect(recording.abandon().recovered == [recording.name])
        #expect(try outbox.everythingIsWhole())
        #expect(try Manifest(parsing: content(outbox.waiting()[0].manifestPath)).recovered)
    }

    /// The card failed a sync; a second one of the same file proves nothing.
    @Test(arguments: Seal.allCases) func whatMayNotBeOnTheCardIsWrittenAnew(seal: Seal) throws {
        let seen = Counter()
        let log = CallLog { _, call in
            let isManifest = call.operation == .sync && call.path.contains(".json")
            return isManifest && seen.next() == 0 ? .fail(EIO) : nil
        }
        let outbox = try fixture.open(log.calls)
        let recording = try outbox.begin(seal)
        try recording.say(10)
        #expect(throws: OutboxError.self) { try recording.finish() }
        _ = log.take(fixture.directory)
        #expect(recording.abandon().recovered == [recording.name])
        let calls = log.take(fixture.directory)
        let manifest = seal == .on ? "head.age" : "json"
        for file in ["opus" + seal.suffix, manifest] {
            #expect(calls.contains("rename rec/N.\(file).copy rec/N.\(file)"))
        }
        #expect(try outbox.everythingIsWhole())
    }

    @Test(arguments: Seal.allCases) func oneWithoutSoundIsGone(seal: Seal) throws {
        let outbox = try fixture.open()
        let recording = try outbox.begin(seal)
        #expect(recording.abandon().removed == [recording.name])
        #expect(outbox.waiting().isEmpty && outbox.counts().recording == 0)
        #expect(try fixture.files("rec") == [])
    }

    @Test(arguments: Seal.allCases) func othersAreLeftAlone(seal: Seal) throws {
        let outbox = try fixture.open()
        let kept = try outbox.keep(seal)
        let (other, given) = (try outbox.begin(seal), try outbox.begin(seal))
        try other.say(5)
        try given.say(6)
        _ = given.abandon()
        try other.sync()
        try other.finish()
        _ = try other.commit()
        #expect(outbox.waiting().map(\.name) == [kept.name, other.name, given.name])
        #expect(try outbox.everythingIsWhole())
    }
}
