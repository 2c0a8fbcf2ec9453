import DurableFiles
import Foundation
import Glibc
import Outbox
import Sealing
import Testing
import Wire

@Suite struct OutboxTests {
    private let fixture = Fixture()

    @Test(arguments: Seal.allCases) func aKeptUtteranceWaitsWithItsManifest(seal: Seal) throws {
        let outbox = try fixture.open()
        let item = try outbox.keep(frames: 10, seal)
        #expect(outbox.waiting() == [item])
        #expect(try sound(of: item) == FakeSound.head + [UInt8](repeating: 7, count: 10))
        #expect(try outbox.everythingIsWhole())
        #expect(try fixture.files("rec") == seal.spare)
        let counts = outbox.counts()
        #expect(counts.waiting == 1 && counts.bytes == item.bytes && counts.oldest == item.name)
        #expect(counts.recording == 0)
    }

    @Test(arguments: Seal.allCases) func anItemSurvivesTheOutboxThatMadeIt(seal: Seal) throws {
        let item = try fixture.open().keep(seal)
        #expect(try fixture.open().waiting() == [item])
    }

    @Test(arguments: Seal.allCases) func whatWaitsIsInTheOrderOfThePresses(seal: Seal) throws {
        let outbox = try fixture.open()
        let first = try outbox.begin(seal)
        let second = try outbox.begin(seal)
        for recording in [second, first] {
            try recording.say(1)
            try recording.finish()
            _ = try recording.commit()
        }
        #expect(outbox.waiting().map(\.name) == [first.name, second.name])
    }

    @Test func aPatchedHeadIsInTheHash() throws {
        let outbox = try fixture.open()
        let recording = try outbox.begin()
        try recording.say(50)
        try [UInt8](repeating: 9, count: 3).withUnsafeBytes { try recording.overwrite($0, at: 4) }
        try recording.finish()
        let item = try recording.commit()
        #expect(try content(item.audioPath)[4..<8] == [9, 9, 9, 7])
        #expect(try outbox.everythingIsWhole())
    }

    @Test(arguments: Seal.allCases) func finishedButNotCommittedCanStillBeDiscarded(seal: Seal) throws {
        let outbox = try fixture.open()
        let recording = try outbox.begin(seal)
        try recording.say(5)
        try recording.finish()
        try recording.discard()
        #expect(outbox.waiting().isEmpty && outbox.counts().recording == 0)
        #expect(try fixture.files("rec") == seal.spare)
    }

    @Test func onlyOneProcessHasAnOutbox() throws {
        let outbox = try fixture.open()
        #expect(throws: OutboxError.inUse(directory: fixture.directory)) { try fixture.open() }
        withExtendedLifetime(outbox) {}
    }

    @Test(arguments: Seal.allCases) func anItemIsLetGoOnceAndOnlyOnce(seal: Seal) throws {
        let outbox = try fixture.open()
        let (first, second) = (try outbox.keep(seal), try outbox.keep(seal))
        try outbox.letGo(first)
        try outbox.letGo(first)
        #expect(outbox.waiting() == [second])
        let left = ["json", "opus"].map { "\(second.name).\($0)\(seal.suffix)" }
        #expect(try fixture.files("out") == left)
    }

    @Test(arguments: Seal.allCases) func aParkedItemNoLongerStandsInTheWay(seal: Seal) throws {
        let outbox = try fixture.open()
        let (first, second) = (try outbox.keep(seal), try outbox.keep(seal))
        try outbox.park(first, reason: "The host has another key.")
        #expect(outbox.waiting() == [second] && outbox.counts().parked == 1)
        let reason = try content("\(fixture.directory)/parked/\(first.name).reason.txt")
        #expect(String(decoding: reason, as: UTF8.self) == "The host has another key.\n")
    }

    @Test(arguments: Seal.allCases) func nobodyElseMayReadIt(seal: Seal) throws {
        let outbox = try fixture.open()
        let item = try outbox.keep(seal)
        for (path, mode) in [(item.audioPath, 0o600), (item.manifestPath, 0o600), (outbox.directory, 0o700)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test(arguments: Seal.allCases) func manyThreadsLoseNothing(seal: Seal) async throws {
        let outbox = try fixture.open()
        let kept = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for i in 0..<5 {
                        try outbox.keep(frames: task + i + 1, seal)
                        if i % 2 == 1, let item = outbox.waiting().first { try outbox.letGo(item) }
                    }
                    return 5
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(kept == 20)
        let waiting = outbox.waiting()
        #expect(waiting.map(\.name) == waiting.map(\.name).sorted())
        #expect((12...20).contains(waiting.count))
        #expect(try outbox.everythingIsWhole())
        #expect(try fixture.files("out").count == 2 * waiting.count)
        #expect(try fixture.files("rec") == seal.spare)
    }
}
