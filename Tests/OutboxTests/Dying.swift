import DurableFiles
import Outbox
import Testing

// A process that dies before any of its calls, or in any of its writes: what it does, for the tests of what it leaves.

/// How far a recording came, in bytes of sound.
struct Progress {
    var appended = 0
    var synced = 0
    var finished = false
    var kept = false
    var discarded = false
}

extension Seal {
    /// What is said into a sealed recording: over two chunk ends.
    static let said = speech(144_000)

    /// The pieces that are appended in each second.
    private var seconds: [[[UInt8]]] {
        switch self {
        case .off: [[FakeSound.head + [1]], [[2]], [[2]]]
        case .on:
            stride(from: 0, to: Self.said.count, by: 36_000).map { second in
                stride(from: second, to: second + 36_000, by: 12_000).map {
                    Array(Self.said[$0..<$0 + 12_000])
                }
            }
        }
    }

    /// Records one utterance until it is done or the process dies.
    @discardableResult
    func record(_ fixture: Fixture, _ log: CallLog, discarding: Bool = false) -> Progress {
        var progress = Progress()
        do {
            let recording = try fixture.open(log.calls).begin(self)
            for second in seconds {
                for piece in second {
                    try recording.append(piece)
                    progress.appended += piece.count
                }
                try recording.sync()
                progress.synced = progress.appended
            }
            try recording.finish()
            progress.finished = true
            if discarding {
                try recording.discard()
                progress.discarded = true
            } else {
                _ = try recording.commit()
                progress.kept = true
            }
        } catch {}
        return progress
    }

    func callsOfARecording(discarding: Bool = false) -> Int {
        let log = CallLog(dyingAt: .max)
        record(Fixture(inMemory: true), log, discarding: discarding)
        return log.count
    }
}

/// The calls of a start that finds nothing.
func callsOfAStart() throws -> Int {
    let log = CallLog(dyingAt: .max)
    _ = try Fixture(inMemory: true).open(log.calls)
    return log.count
}

typealias Deed = (Outbox, OutboxItem) throws -> Void

/// Does something to the item that `make` leaves, dying before each of its calls.
func dyingAnywhere(
    limits: Limits? = nil, make: (Outbox) throws -> Void, in body: Deed,
    check: (Fixture, Outbox, _ item: OutboxItem, _ done: Bool) throws -> Void
) throws {
    var k = 0
    while true {
        var fixture = Fixture(inMemory: true)
        if let limits { fixture.limits = limits }
        try make(fixture.open(CallLog.quick))
        let item = try #require(fixture.open(CallLog.quick).waiting().first)
        let log = CallLog(dyingAt: k)
        // One that dies while it starts finds nothing to do anything to.
        func isDone() throws -> Bool {
            let outbox = try fixture.open(log.calls)
            guard outbox.waiting() == [item] else { return false }
            try body(outbox, item)
            return true
        }
        let done = (try? isDone()) ?? false
        let outbox = try fixture.open(CallLog.quick)
        #expect(try outbox.everythingIsWhole(), "died at \(k)")
        #expect(outbox.startup.problems.isEmpty, "died at \(k)")
        try check(fixture, outbox, item, done)
        if log.count <= k { break }
        k += 1
    }
}
