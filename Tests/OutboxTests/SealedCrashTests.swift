import DurableFiles
import Foundation
import Outbox
import Sealing
import Testing
import Wire

/// A process that dies before any of its calls, or in any of its writes, while it records what is sealed.
@Suite struct SealedCrashTests {
    private func check(_ fixture: Fixture, _ outbox: Outbox, _ progress: Progress, _ why: String) throws {
        #expect(try outbox.everythingIsWhole(), "\(why)")
        #expect(outbox.startup.problems.isEmpty && outbox.startup.parked.isEmpty, "\(why)")
        #expect(try fixture.files("rec").allSatisfy { $0 == "spare.tail" }, "\(why)")
        let waiting = outbox.waiting()
        #expect(waiting.count <= 1 && (waiting.count == 1 || progress.synced == 0), "\(why)")
        guard let item = waiting.first else { return }
        let heard = try sound(of: item)
        #expect(heard.count >= progress.synced && heard.begins(Seal.said), "\(why): \(heard.count)")
        if progress.finished { #expect(heard == Seal.said && !item.isSealedPart, "\(why)") }
        #expect(try Manifest(parsing: opened(item.manifestPath, true)).mode == "press", "\(why)")
    }

    @Test func whereverItDiesWhatWasSyncedIsThere() throws {
        for k in 0...Seal.on.callsOfARecording() {
            let fixture = Fixture(inMemory: true)
            let progress = Seal.on.record(fixture, CallLog(dyingAt: k))
            try check(fixture, fixture.open(CallLog.quick), progress, "died at \(k)")
        }
    }

    @Test(arguments: [1, 300, 4_095, 30_000]) func whereverAWriteIsTornWhatWasSyncedIsThere(bytes: Int) throws
    {
        for k in 0..<Seal.on.callsOfARecording() {
            let fixture = Fixture(inMemory: true)
            let progress = Seal.on.record(fixture, CallLog(tornAt: k, after: bytes))
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
        let (opening, all) = (try callsOfAStart(), Seal.on.callsOfARecording())
        // The middle of the recording is one long row of the same calls.
        for k in opening...all where k < opening + 22 || k > all - 14 {
            let dead = Fixture(inMemory: true)
            let progress = Seal.on.record(dead, CallLog(dyingAt: k))
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

    /// Items that a deed is done to.
    enum Made: CaseIterable {
        case whole, part

        func make(_ outbox: Outbox) throws {
            switch self {
            case .whole: try outbox.keep(.on)
            case .part:
                let recording = try outbox.begin(.on)
                try recording.append(speech(1_000))
                try recording.sync()
            }
        }
    }

    private func names(of item: OutboxItem) -> [String] {
        ["json.age", "opus.age"].map { "\(item.name).\($0)" }
            + (item.isSealedPart ? ["\(item.name).tail"] : [])
    }

    @Test(arguments: Made.allCases) func whatIsLetGoIsWholeOrGone(made: Made) throws {
        let letGo: Deed = { try $0.letGo($1) }
        try dyingAnywhere(make: made.make, in: letGo) { fixture, outbox, item, done in
            #expect(item.isSealedPart == (made == .part))
            #expect(outbox.waiting().isEmpty || (!done && outbox.waiting() == [item]))
            #expect(outbox.startup.recovered.isEmpty)
            let files = try fixture.files("out")
            #expect(files == (outbox.waiting().isEmpty ? [] : names(of: item)))
        }
    }

    @Test(arguments: Made.allCases) func whatIsParkedIsWholeInOnePlace(made: Made) throws {
        let park: Deed = { try $0.park($1, reason: "refused") }
        try dyingAnywhere(make: made.make, in: park) { fixture, outbox, item, done in
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
        try dyingAnywhere(make: made.make, in: setAside) { fixture, outbox, item, done in
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
        try dyingAnywhere(limits: limits, make: made.make, in: press) { fixture, outbox, item, done in
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
