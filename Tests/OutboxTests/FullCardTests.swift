import DurableFiles
import Foundation
import Glibc
import Outbox
import TestSupport
import Testing
import Wire

@Suite struct FullCardTests {
    private let fixture = Fixture()

    @Test(arguments: Seal.allCases) func aFullOutboxRefusesAndDropsNothing(seal: Seal) throws {
        var fixture = fixture
        fixture.limits.maxBytes = 2 << 20
        let outbox = try fixture.open()
        let item = try outbox.keep(frames: 1_200_000, seal)
        guard case .refused(.full) = try outbox.room() else {
            Issue.record("there is room")
            return
        }
        #expect(throws: OutboxError.self) { _ = try outbox.begin(seal) }
        #expect(outbox.waiting() == [item] && outbox.counts().recording == 0)
        try outbox.letGo(item)
        guard case .available = try outbox.room() else {
            Issue.record("there is no room")
            return
        }
    }

    @Test func theCardsReserveIsNotRecordedInto() throws {
        var fixture = fixture
        fixture.limits.reserveFraction = 1
        let outbox = try fixture.open()
        guard case .refused(.cardFull) = try outbox.room() else {
            Issue.record("there is room")
            return
        }
        #expect(throws: OutboxError.self) { _ = try outbox.begin() }
    }

    @Test(arguments: Seal.allCases) func theBoundHoldsWhileARecordingGrows(seal: Seal) throws {
        var fixture = fixture
        fixture.limits.maxBytes = 2 << 20
        let outbox = try fixture.open()
        let recording = try outbox.begin(seal)
        try recording.append(FakeSound.head)
        #expect(throws: OutboxError.self) {
            while true { try recording.append([UInt8](repeating: 1, count: 10_000)) }
        }
        #expect(recording.bytes > 1 << 20)
        try recording.finish()
        let item = try recording.commit()
        #expect(item.bytes <= 2 << 20)
        #expect(try outbox.everythingIsWhole())
    }

    @Test(arguments: Seal.allCases) func dropOldestTakesTheAcknowledgedFirst(seal: Seal) throws {
        var fixture = fixture
        fixture.limits.maxBytes = 2 << 20
        fixture.limits.full = .dropOldest
        let outbox = try fixture.open()
        let unsent = try outbox.keep(frames: 600_000, seal)
        let sent = try outbox.keep(frames: 600_000, seal)
        try outbox.setAside(sent)
        _ = try outbox.keep(frames: 100, seal)
        #expect(outbox.waiting().first == unsent && outbox.counts().sent == 0 && outbox.gaps().isEmpty)
    }

    @Test(arguments: Seal.allCases) func dropOldestLeavesAGapForTheHost(seal: Seal) throws {
        var fixture = fixture
        // A sealed recording has a journal beside it.
        fixture.limits.maxBytes = (2 << 20) + (seal == .on ? 320 << 10 : 0)
        fixture.limits.full = .dropOldest
        let outbox = try fixture.open()
        let items = try (0..<5).map { _ in try outbox.keep(frames: 500_000, seal) }
        #expect(outbox.gaps().map(\.name) == items.prefix(2).map(\.name))
        #expect(outbox.waiting() == Array(items.suffix(3)))
        let told = try outbox.manifest(of: outbox.gaps()[0])
        #expect(told.kind == .gap(lost: [items[0].name.seq]))
        #expect(told.mode == (seal == .on ? "" : "press"))
        // Its sender comes too late with the receipt: nothing happens.
        try outbox.letGo(items[0])
        #expect(outbox.gaps().count == 2)
    }

    @Test func roomThatADropWouldMakeCounts() throws {
        var fixture = fixture
        fixture.limits.maxBytes = 2 << 20
        try fixture.open().keep(frames: 1_500_000)
        guard case .refused = try fixture.open().room() else {
            Issue.record("there is room")
            return
        }
        fixture.limits.full = .dropOldest
        guard case .available = try fixture.open().room() else {
            Issue.record("there is no room")
            return
        }
    }

    /// Fails every call of this kind on audio, from the `n`-th on.
    private func failing(_ operation: FileOperation, from n: Int, _ code: Int32, torn: Int = 0) -> CallLog {
        let seen = Counter()
        return CallLog { _, call in
            guard call.operation == operation, call.path.hasSuffix(".opus") else { return nil }
            return seen.next() < n ? nil : .tear(after: torn, code)
        }
    }

    @Test func aCardThatFillsUpKeepsWhatIsThere() throws {
        let outbox = try fixture.open(failing(.reserve, from: 2, ENOSPC).calls)
        let recording = try outbox.begin()
        try recording.append(FakeSound.head)
        var appended = 4
        do {
            while true {
                try recording.append([UInt8](repeating: 3, count: 1_000))
                appended += 1_000
            }
        } catch let error as OutboxError {
            guard case .cardFull = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(appended > 500_000 && recording.bytes == appended)
        try recording.finish()
        #expect(try recording.commit().audioBytes == appended)
        #expect(try outbox.everythingIsWhole())
    }

    @Test(arguments: Seal.allCases) func aCardThatIsFullAtTheStartStillLetsGo(seal: Seal) throws {
        let item = try fixture.open().keep(seal)
        let full = CallLog { _, call in
            call.operation == .write ? .fail(ENOSPC) : nil
        }
        let outbox = try fixture.open(full.calls)
        #expect(outbox.waiting() == [item])
        #expect(throws: OutboxError.self) { _ = try outbox.reserveName() }
        try outbox.letGo(item)
        #expect(outbox.waiting().isEmpty)
    }

    @Test(arguments: Seal.allCases) func aFinishThatFailedMayBeTriedAgain(seal: Seal) throws {
        let seen = Counter()
        let once = CallLog { _, call in
            guard call.operation == .write, call.path.contains(".json") else { return nil }
            return seen.next() == 0 ? .tear(after: 20, EIO) : nil
        }
        let outbox = try fixture.open(once.calls)
        let recording = try outbox.begin(seal)
        try recording.say(10)
        #expect(throws: OutboxError.self) { try recording.finish() }
        try recording.finish()
        _ = try recording.commit()
        #expect(try outbox.everythingIsWhole())
    }

    @Test func aTornAppendIsCutOff() throws {
        let outbox = try fixture.open(failing(.write, from: 1, ENOSPC, torn: 30).calls)
        let recording = try outbox.begin()
        try recording.say(10)
        #expect(throws: OutboxError.self) { try recording.append([UInt8](repeating: 5, count: 100)) }
        try recording.finish()
        let item = try recording.commit()
        #expect(try content(item.audioPath) == FakeSound.head + [UInt8](repeating: 7, count: 10))
        #expect(try outbox.everythingIsWhole())
    }

    @Test(arguments: [FileOperation.sync, .syncData])
    func aSyncThatFailsCostsACopyAndNoSound(operation: FileOperation) throws {
        let log = failing(operation, from: 0, EIO)
        let outbox = try fixture.open(log.calls)
        let recording = try outbox.begin()
        try recording.say(1_000)
        if operation == .syncData {
            #expect(throws: OutboxError.self) { try recording.sync() }
            _ = log.take(fixture.directory)
            // Not asked again: the kernel may have dropped the bytes and say that all is well.
            #expect(throws: OutboxError.self) { try recording.sync() }
            #expect(!log.take(fixture.directory).contains { $0.hasPrefix("syncData") })
        }
        try recording.say(0)
        try recording.finish()
        #expect(recording.failure?.code == EIO)
        let item = try recording.commit()
        #expect(item.audioBytes == 1_008)
        #expect(try outbox.everythingIsWhole())
        #expect(try fixture.files("rec") == [])
    }

    @Test func aCardThatTakesNoCopyEitherIsSaidToFailAndLosesNothing() throws {
        try fixture.open().keep()
        do {
            let calls = CallLog { _, call in
                call.operation == .sync && call.path.contains("/rec/") ? .fail(EIO) : nil
            }.calls
            let recording = try fixture.open(calls).begin()
            try recording.say(10)
            do {
                try recording.finish()
                Issue.record("a broken card took it")
            } catch let error as OutboxError {
                guard case .cardFailing = error else {
                    Issue.record("\(error)")
                    return
                }
            }
        }
        let outbox = try fixture.open()
        #expect(outbox.waiting().count == 2)
        #expect(try outbox.everythingIsWhole())
    }

    @Test(.enabled(if: SmallCard.canBeMade), arguments: Seal.allCases)
    func aRealCardThatIsFullKeepsWhatIsThere(seal: Seal) throws {
        let card = try SmallCard(mebibytes: 3)
        let limits = Limits(maxBytes: 1 << 30, reserveFraction: 0, headroomPerRecording: 1 << 20)
        let outbox = try Outbox(directory: card.path + "/outbox", limits: limits, salvage: FakeSound.salvage)
        try outbox.keep(seal)
        let recording = try outbox.begin(seal)
        try recording.append(FakeSound.head)
        // Somebody else fills the card.
        let other = try FileCalls.system.open(card.path + "/other", .createNew)
        #expect(throws: DurableFileError.self) {
            while true { try other.write([UInt8](repeating: 1, count: 4_096)) }
        }
        #expect(throws: OutboxError.self) {
            while true { try recording.append([UInt8](repeating: 2, count: 1_000)) }
        }
        #expect(recording.bytes > 200_000)
        try recording.finish()
        _ = try recording.commit()
        #expect(outbox.waiting().count == 2)
        #expect(try outbox.everythingIsWhole())
        #expect(throws: OutboxError.self) { _ = try outbox.begin(seal) }
    }
}

/// A file system of a few mebibytes in memory; only root can make one.
private final class SmallCard {
    let path: String
    private let folder = TemporaryFolder()

    init(mebibytes: Int) throws {
        path = folder.file("card")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("lapel-test", path, "tmpfs", 0, "size=\(mebibytes)m") == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    static var canBeMade: Bool { (try? SmallCard(mebibytes: 1)) != nil }
}
