import Catalogue
import Synchronization
import TestSupport
import Testing

/// What every feed keeps.
@Suite struct FeedContractTests {
    typealias Kind = ContractWorld.Kind

    @Test(arguments: Kind.allCases)
    func whatHappenedIsToldInItsOrder(kind: Kind) throws {
        let catalogue = try ContractWorld(kind).catalogue
        try catalogue.add(Sample.device())
        try catalogue.receive("m", "u", .manifest, at: 6)
        try catalogue.receive("a", "u", .audio, at: 7)
        let entries = try catalogue.entries(after: 0, limit: 9)
        #expect(entries.map(\.number) == [1, 2, 3, 4])
        #expect(entries.map(\.at) == [9, 6, 6, 7])
        func stored(_ id: String, _ kind: StoredKind, whole: Bool) -> FeedEntry.Event {
            .stored(
                utterance: "u", kind: kind, bytes: 100, sha256: "5a" + id, device: Sample.wrist, whole: whole)
        }
        #expect(
            entries.map(\.event) == [
                .paired(device: Sample.wrist, name: "wrist"),
                .rung(utterance: "u", seq: 1, device: Sample.wrist), stored("m", .manifest, whole: false),
                stored("a", .audio, whole: true),
            ])
        #expect(try catalogue.entries(after: 1, limit: 2).map(\.number) == [2, 3])
        #expect(try catalogue.entries(after: 4, limit: 2) == [])
    }

    @Test(arguments: Kind.allCases)
    func theNewestAreKeptAndNumbersGoOn(kind: Kind) throws {
        let world = try ContractWorld(kind, feedEntries: 10)
        for number in 1...45 { try world.catalogue.add(Sample.device(name: "\(number)")) }
        let left = try world.catalogue.entries(after: 0, limit: .max).map(\.number)
        #expect(left.count >= 10 && left.count <= 20)
        #expect(left == Array((46 - Int64(left.count))...45))
        try world.cutPower()
        try world.catalogue.add(Sample.device())
        #expect(try world.catalogue.newest() == 46)
    }

    @Test(arguments: Kind.allCases)
    func whoeverWaitsIsWokenOnceACommitUntilItsWakeGoes(kind: Kind) throws {
        let catalogue = try ContractWorld(kind).catalogue
        let count = Counter()
        var wake: FeedWake? = catalogue.onAddition { count.add() }
        try catalogue.receive("m", "u", .manifest)
        #expect(count.value == 1)
        withExtendedLifetime(wake) {}
        wake = nil
        try catalogue.receive("a", "u", .audio)
        #expect(count.value == 1)
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }
}
