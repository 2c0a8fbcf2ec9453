import DurableFiles
import Foundation
import Glibc
import Outbox
import Sealing
import Synchronization
import TestSupport
import Testing
import Wire

/// Every call of a sealed recording failing once, and whole kinds of calls failing for good.
@Suite struct SealedFaultTests {
    /// What goes wrong with a call.
    enum Fault: CaseIterable {
        case broken, full, torn

        var interference: FileCalls.Interference {
            switch self {
            case .broken: .fail(EIO)
            case .full: .fail(ENOSPC)
            case .torn: .tear(after: 700, EIO)
            }
        }
    }

    private static let said = speech(180_000)

    /// What the wearer's recorder does, whatever the card answers: it goes on, finishes, and tries what failed again.
    /// - Returns: how much was taken, how much of it a sync returned for, and whether it was kept.
    private func record(_ outbox: Outbox) -> (taken: Int, synced: Int, kept: Bool) {
        guard let recording = try? outbox.begin(.on) else { return (0, 0, false) }
        var synced = 0
        for second in 0..<12 {
            let begin = recording.bytes
            guard (try? recording.append(Array(Self.said[begin..<(begin + 15_000)]))) != nil else { break }
            if second % 2 == 1, (try? recording.sync()) != nil { synced = recording.bytes }
        }
        let finished = (try? recording.finish()) != nil || (try? recording.finish()) != nil
        return (recording.bytes, synced, finished && (try? recording.commit()) != nil)
    }

    private func callsOfARecording() throws -> Int {
        let log = CallLog()
        _ = record(try Fixture(inMemory: true).open(log.calls))
        return log.count
    }

    @Test(arguments: Fault.allCases) func anyCallThatFailsOnceCostsNothingThatWasSynced(fault: Fault) throws {
        let opening = CallLog()
        _ = try Fixture(inMemory: true).open(opening.calls)
        for k in opening.count..<(try callsOfARecording()) {
            let fixture = Fixture(inMemory: true)
            var done = (taken: 0, synced: 0, kept: false)
            do {
                let calls = CallLog { index, call in index == k ? fault.interference : nil }.calls
                done = record(try fixture.open(calls))
            }
            let outbox = try fixture.open(CallLog.quick)
            #expect(try outbox.everythingIsWhole(), "call \(k)")
            #expect(outbox.startup.problems.isEmpty && outbox.startup.parked.isEmpty, "call \(k)")
            let waiting = outbox.waiting()
            // Most single failures cost nothing at all: what was taken is kept, whole.
            #expect(done.taken == 0 || waiting.count == 1, "call \(k)")
            guard let item = waiting.first else { continue }
            let heard = try sound(of: item)
            #expect(heard.begins(Self.said) && heard.count >= done.synced, "call \(k)")
            if done.kept { #expect(heard.count == done.taken && !item.isSealedPart, "call \(k)") }
        }
    }

    /// The card has no more room from the `k`-th call on, as if somebody else had filled it.
    @Test func aCardThatFillsUpKeepsWhatIsThere() throws {
        let opening = CallLog()
        _ = try Fixture(inMemory: true).open(opening.calls)
        for k in opening.count..<(try callsOfARecording()) {
            let fixture = Fixture(inMemory: true)
            var done = (taken: 0, synced: 0, kept: false)
            do {
                let calls = CallLog { index, call in
                    // What was reserved can be written; what was not, and new files, cannot.
                    guard index >= k, [.reserve, .create].contains(call.operation) else { return nil }
                    return .fail(ENOSPC)
                }.calls
                done = record(try fixture.open(calls))
            }
            let outbox = try fixture.open(CallLog.quick)
            #expect(outbox.waiting().count == (done.taken > 0 ? 1 : 0), "full at \(k)")
            #expect(done.kept == (done.taken > 0), "what is there can always be finished: full at \(k)")
            for item in outbox.waiting() { #expect(try sound(of: item).count == done.taken) }
        }
    }

    private func failing(_ operation: FileOperation, _ suffix: String, from n: Int = 0) -> CallLog {
        let seen = Counter()
        return CallLog { _, call in
            guard call.operation == operation, call.path.hasSuffix(suffix) else { return nil }
            return seen.next() < n ? nil : .fail(EIO)
        }
    }

    @Test(arguments: [FileOperation.sync, .syncData])
    func aSyncOfTheAudioThatFailsCostsACopyAndNoSound(operation: FileOperation) throws {
        let fixture = Fixture()
        let log = failing(operation, ".opus.age", from: operation == .sync ? 0 : 1)
        let outbox = try fixture.open(log.calls)
        let done = record(outbox)
        #expect(done.kept && done.taken == Self.said.count)
        #expect(try sound(of: outbox.waiting()[0]) == Self.said)
        #expect(try outbox.everythingIsWhole())
        #expect(try fixture.files("rec") == ["spare.tail"])
    }

    @Test func afterASyncOfTheAudioThatFailedTheJournalIsLeftAlone() throws {
        let fixture = Fixture(inMemory: true)
        do {
            let log = failing(.syncData, ".opus.age", from: 1)
            let recording = try fixture.open(log.calls).begin(.on)
            try recording.append(Array(Self.said[..<60_000]))
            try recording.sync()
            // More than a record holds: the chunk must go to the card.
            try recording.append(Array(Self.said[60_000..<130_000]))
            #expect(throws: OutboxError.self) { try recording.sync() }
            _ = log.take(fixture.directory)
            #expect(throws: OutboxError.self) { try recording.sync() }
            #expect(log.take(fixture.directory).isEmpty)
            #expect(recording.failure?.code == EIO)
        }
        // The chunk that the card did not take is damaged there, as the failed sync said.
        let audio = try fixture.files("rec").first { $0.hasSuffix(".opus.age") }
        let path = try #require(audio.map { "\(fixture.directory)/rec/\($0)" })
        var bytes = try content(path)
        for i in 30_000..<34_096 { bytes[i] = 0 }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let item = try #require(fixture.open(CallLog.quick).waiting().first)
        #expect(try sound(of: item) == Array(Self.said[..<60_000]))
    }

    @Test(arguments: [FileOperation.write, .syncData])
    func aJournalThatFailsIsReplacedAtTheNextSync(operation: FileOperation) throws {
        let fixture = Fixture(inMemory: true)
        do {
            let failures = Mutex(0)
            let log = CallLog { _, call in
                guard call.operation == operation, call.path.hasSuffix(".tail") else { return nil }
                let n = failures.withLock { n -> Int in
                    n += 1
                    return n
                }
                // The first write are the zeros of a new journal.
                return n == (operation == .write ? 3 : 2) ? .fail(EIO) : nil
            }
            let recording = try fixture.open(log.calls).begin(.on)
            try recording.append(Array(Self.said[..<10_000]))
            try recording.sync()
            try recording.append(Array(Self.said[10_000..<20_000]))
            #expect(throws: OutboxError.self) { try recording.sync() }
            #expect(recording.failure?.code == EIO)
            _ = log.take(fixture.directory)
            try recording.append(Array(Self.said[20_000..<30_000]))
            try recording.sync()
            #expect(log.take(fixture.directory).contains("rename rec/N.tail.new rec/N.tail"))
            try recording.append(Array(Self.said[30_000..<70_000]))
            try recording.sync()
        }
        let item = try #require(fixture.open(CallLog.quick).waiting().first)
        #expect(try sound(of: item) == Array(Self.said[..<70_000]))
    }

    @Test func aChunkThatTheCardDoesNotTakeWaitsInMemoryAndIsNotSealedTwice() throws {
        let fixture = Fixture(inMemory: true)
        // The audio's header is its first write, its first chunk the second.
        let seen = Counter()
        let log = CallLog { _, call in
            guard call.operation == .write, call.path.hasSuffix(".opus.age") else { return nil }
            return (1..<4).contains(seen.next()) ? .tear(after: 5_000, EIO) : nil
        }
        let outbox = try fixture.open(log.calls)
        let recording = try outbox.begin(.on)
        try recording.append(Array(Self.said[..<60_000]))
        try recording.sync()
        try recording.append(Array(Self.said[60_000..<70_000]))
        #expect(throws: OutboxError.self) { try recording.append([1]) }
        #expect(throws: OutboxError.self) { try recording.sync() }
        #expect(recording.bytes == 70_000 && recording.failure?.code == EIO)
        try recording.append(Array(Self.said[70_000..<80_000]))
        try recording.finish()
        _ = try recording.commit()
        #expect(try sound(of: outbox.waiting()[0]) == Array(Self.said[..<80_000]))
    }

    @Test func aCardThatTakesNoCopyEitherKeepsTheFilesForTheNextStart() throws {
        let fixture = Fixture(inMemory: true)
        do {
            let log = CallLog { _, call in
                call.operation == .sync && call.path.contains("/rec/") ? .fail(EIO) : nil
            }
            let recording = try fixture.open(log.calls).begin(.on)
            try recording.append(Array(Self.said[..<1_000]))
            try recording.sync()
            #expect(throws: OutboxError.self) { try recording.finish() }
            #expect(throws: OutboxError.self) { try recording.finish() }
        }
        let outbox = try fixture.open()
        #expect(outbox.startup.parked.isEmpty && outbox.startup.problems.isEmpty)
        #expect(try sound(of: try #require(outbox.waiting().first)) == Array(Self.said[..<1_000]))
        #expect(try fixture.files("rec").isEmpty)
    }

    @Test func whatTheStartCannotReadIsSaidAndLeft() throws {
        let fixture = Fixture(inMemory: true)
        do {
            let recording = try fixture.open().begin(.on)
            try recording.append(Array(Self.said[..<1_000]))
            try recording.sync()
        }
        try fixture.open().keep(.on)
        try fixture.open().keep(.on)
        let log = CallLog { _, call in
            [.read, .size].contains(call.operation) && call.path.hasSuffix(".age") ? .fail(EIO) : nil
        }
        let report = try fixture.open(log.calls).startup
        #expect(report.problems.count >= 3 && report.removed.isEmpty && report.parked.isEmpty)
        #expect(try fixture.open().waiting().count == 3)
    }
}
