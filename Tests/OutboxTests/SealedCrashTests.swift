import DurableFiles
import Foundation
import Outbox
import Sealing
import Testing
import Wire

/// A process that dies before any of its calls, or in any of its writes, while it records what is sealed.
@Suite struct SealedCrashTests {
    /// How far a recording came.
    private struct Progress {
        var appended = 0
        var synced = 0
        var finished = false
        var kept = false
        var discarded = false
    }

    /// Four seconds over two chunk ends: 36,000 bytes each, in pieces.
    private static let said = speech(144_000)
    private static let second = 36_000

    /// Records one utterance until it is done or the process dies.
    private func record(_ fixture: Fixture, _ log: CallLog, discarding: Bool = false) -> Progress {
        var progress = Progress()
        do {
            let recording = try fixture.open(log.calls).begin(.on)
            while progress.appended < Self.said.count {
                for _ in 0..<3 {
                    let piece = Self.said[progress.appended..<(progress.appended + Self.second / 3)]
                    try recording.append(Array(piece))
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

    private func callsOfARecording(discarding: Bool = false) -> Int {
        let log = CallLog(dyingAt: .max)
        _ = record(Fixture(inMemory: true), log, discarding: discarding)
        return log.count
    }

    private func check(_ fixture: Fixture, _ outbox: Outbox, _ progress: Progress, _ why: String) throws {
        #expect(try outbox.everythingIsWhole(), "\(why)")
        #expect(outbox.startup.problems.isEmpty && outbox.startup.parked.isEmpty, "\(why)")
        #expect(try fixture.files("rec").allSatisfy { $0 == "spare.tail" }, "\(why)")
        let waiting = outbox.waiting()
        #expect(waiting.count <= 1 && (waiting.count == 1 || progress.synced == 0), "\(why)")
        guard let item = waiting.first else { return }
        let heard = try sound(of: item)
        #expect(heard.count >= progress.synced && heard.begins(Self.said), "\(why): \(heard.count)")
        if progress.finished { #expect(heard == Self.said && !item.isSealedPart, "\(why)") }
        #expect(try Manifest(parsing: opened(item.manifestPath, true)).mode == "press", "\(why)")
    }

    @Test func whereverItDiesWhatWasSyncedIsThere() throws {
        for k in 0...callsOfARecording() {
            let fixture = Fixture(inMemory: true)
            let progress = record(fixture, CallLog(dyingAt: k))
            try check(fixture, fixture.open(CallLog.quick), progress, "died at \(k)")
        }
    }

    @Test(arguments: [1, 300, 4_095, 30_000]) func whereverAWriteIsTornWhatWasSyncedIsThere(bytes: Int) throws
    {
        for k in 0..<callsOfARecording() {
            let fixture = Fixture(inMemory: true)
            let progress = record(fixture, CallLog(tornAt: k, after: bytes))
            let outbox = try fixture.open(CallLog.quick)
            if progress.synced > 0 || outbox.waiting().isEmpty {
                try check(fixture, outbox, progress, "torn at \(k) after \(bytes)")
            } else {
                // The head, or what stands before it: there is a name, and the host is told what is there.
                #expect(try sound(of: outbox.waiting()[0]).count <= progress.appended, "torn at \(k)")
            }
        }
    }

    @Test func startUpThatDiesAnywhereIsDoneByTheNext() throws {
        let opening = CallLog(dyingAt: .max)
        _ = try Fixture(inMemory: true).open(opening.calls)
        let all = callsOfARecording()
        // The middle of the recording is one long row of the same calls.
        for k in opening.count...all where k < opening.count + 22 || k > all - 14 {
            let dead = Fixture(inMemory: true)
            let progress = record(dead, CallLog(dyingAt: k))
            var j = 0
            while true {
                let fixture = try dead.copied()
                let log = CallLog(tornAt: j, after: 40)
                _ = try? fixture.open(log.calls)
                try check(fixture, fixture.open(CallLog.quick), progress, "died at \(k), then at \(j)")
                if log.count <= j { break }
                j += 1
            }
        }
    }

    @Test func aSecondStartFindsNothingToDo() throws {
        for k in 0...callsOfARecording() {
            let fixture = Fixture(inMemory: true)
            _ = record(fixture, CallLog(dyingAt: k))
            let first = try fixture.open(CallLog.quick).waiting()
            let second = try fixture.open(CallLog.quick)
            #expect(second.waiting() == first)
            #expect(second.startup == StartupReport())
        }
    }

    @Test func whatWasDiscardedDoesNotComeBack() throws {
        for k in 0...callsOfARecording(discarding: true) {
            let fixture = Fixture(inMemory: true)
            let progress = record(fixture, CallLog(dyingAt: k), discarding: true)
            let outbox = try fixture.open(CallLog.quick)
            #expect(try outbox.everythingIsWhole())
            if progress.discarded { #expect(outbox.waiting().isEmpty, "died at \(k)") }
        }
    }

    /// Items that a deed is done to.
    enum Made: CaseIterable {
        case whole, part
    }

    private typealias Deed = (Outbox, OutboxItem) throws -> Void

    /// Does something to an item, dying before each of its calls; what it held must be there or be done with.
    private func dyingAnywhere(
        _ made: Made, limits: Limits? = nil, in body: Deed,
        check: (Fixture, Outbox, _ item: OutboxItem, _ done: Bool) throws -> Void
    ) throws {
        var k = 0
        while true {
            var fixture = Fixture(inMemory: true)
            if let limits { fixture.limits = limits }
            switch made {
            case .whole: try fixture.open(CallLog.quick).keep(.on)
            case .part:
                let recording = try fixture.open(CallLog.quick).begin(.on)
                try recording.append(speech(1_000))
                try recording.sync()
            }
            let item = try #require(fixture.open(CallLog.quick).waiting().first)
            #expect(item.isSealedPart == (made == .part))
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

    private func names(of item: OutboxItem) -> [String] {
        ["json.age", "opus.age"].map { "\(item.name).\($0)" }
            + (item.isSealedPart ? ["\(item.name).tail"] : [])
    }

    @Test(arguments: Made.allCases) func whatIsLetGoIsWholeOrGone(made: Made) throws {
        let letGo: Deed = { try $0.letGo($1) }
        try dyingAnywhere(made, in: letGo) { fixture, outbox, item, done in
            #expect(outbox.waiting().isEmpty || (!done && outbox.waiting() == [item]))
            #expect(outbox.startup.recovered.isEmpty)
            let files = try fixture.files("out")
            #expect(files == (outbox.waiting().isEmpty ? [] : names(of: item)))
        }
    }

    @Test(arguments: Made.allCases) func whatIsParkedIsWholeInOnePlace(made: Made) throws {
        let park: Deed = { try $0.park($1, reason: "refused") }
        try dyingAnywhere(made, in: park) { fixture, outbox, item, done in
            #expect(outbox.counts().waiting + outbox.counts().parked == 1)
            #expect(!done || outbox.counts().parked == 1)
            let place = outbox.counts().parked == 1 ? "parked" : "out"
            let other = place == "out" ? "parked" : "out"
            let (there, left) = (try fixture.files(place), try fixture.files(other))
            #expect(there.filter { !$0.contains("reason") } == names(of: item))
            #expect(left.allSatisfy { $0.contains("reason") })
        }
    }

    @Test(arguments: Made.allCases) func whatIsSetAsideIsWholeInOnePlace(made: Made) throws {
        let setAside: Deed = { try $0.setAside($1) }
        try dyingAnywhere(made, in: setAside) { fixture, outbox, item, done in
            #expect(outbox.counts().waiting + outbox.counts().sent == 1)
            let place = outbox.counts().sent == 1 ? "sent" : "out"
            let files = try fixture.files(place)
            #expect(files == names(of: item))
        }
    }

    @Test(arguments: Made.allCases) func whatIsDroppedIsWholeOrAGapIsTold(made: Made) throws {
        let recording = 512 << 10
        let limits = Limits(
            maxBytes: recording + 1_500, reserveFraction: 0, full: .dropOldest,
            headroomPerRecording: recording)
        let press: Deed = { outbox, _ in _ = try outbox.begin(.on) }
        try dyingAnywhere(made, limits: limits, in: press) { fixture, outbox, item, done in
            #expect(!done || outbox.counts().gaps == 1)
            #expect(outbox.counts().waiting + outbox.counts().gaps == 1)
            for gap in outbox.gaps() {
                let told = try outbox.manifest(of: gap)
                #expect(told.kind == .gap(lost: [item.name.seq]) && told.utterance == item.name.id)
                let files = try fixture.files("out")
                #expect(files == ["\(item.name).gap.json"])
            }
        }
    }
}
