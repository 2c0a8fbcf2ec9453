import DurableFiles
import Foundation
import Outbox
import Testing
import Wire

/// A process that dies before any of its calls, and an outbox that is opened on what it left.
@Suite struct CrashTests {
    private func check(_ outbox: Outbox, _ progress: Progress, _ k: Int) throws {
        #expect(try outbox.everythingIsWhole(), "died at \(k)")
        let waiting = outbox.waiting()
        #expect(waiting.count == (progress.appended > 0 ? 1 : 0), "died at \(k)")
        guard let item = waiting.first else { return }
        #expect(item.audioBytes >= progress.appended, "died at \(k)")
        let manifest = try Manifest(parsing: content(item.manifestPath))
        // A manifest that was written whole counts even when it died before it knew.
        #expect(!manifest.recovered || !progress.finished, "died at \(k)")
        #expect(manifest.mode == "press" || progress.appended < 5, "the head manifest is kept")
    }

    @Test func whereverItDiesWhatWasRecordedIsThereAndWhole() throws {
        for k in 0...Seal.off.callsOfARecording() {
            let fixture = Fixture(inMemory: true)
            let progress = Seal.off.record(fixture, CallLog(dyingAt: k))
            let outbox = try fixture.open(CallLog.quick)
            try check(outbox, progress, k)
            #expect(outbox.startup.problems.isEmpty)
            #expect(outbox.startup.parked.isEmpty)
            #expect(try fixture.files("rec") == [])
        }
    }

    @Test func whereverAWriteIsTornWhatWasRecordedIsThereAndWhole() throws {
        for k in 0..<Seal.off.callsOfARecording() {
            let fixture = Fixture(inMemory: true)
            let progress = Seal.off.record(fixture, CallLog(tornAt: k, after: 3))
            let outbox = try fixture.open(CallLog.quick)
            #expect(try outbox.everythingIsWhole(), "torn at \(k)")
            let parked = try fixture.files("parked").contains { $0.hasSuffix(".opus") }
            if progress.appended > 0 {
                #expect(outbox.waiting().count == 1, "torn at \(k)")
            } else {
                // Three bytes of the head: no sound, but nothing that start-up may remove.
                #expect(outbox.waiting().isEmpty && (parked || outbox.startup.parked.isEmpty))
            }
        }
    }

    @Test func startUpThatDiesAnywhereIsDoneByTheNext() throws {
        // Before the recording begins there is nothing for a start to mend.
        for k in try callsOfAStart()...Seal.off.callsOfARecording() {
            var j = 0
            while true {
                let fixture = Fixture(inMemory: true)
                let progress = Seal.off.record(fixture, CallLog(dyingAt: k))
                let log = CallLog(dyingAt: j)
                _ = try? fixture.open(log.calls)
                let outbox = try fixture.open(CallLog.quick)
                try check(outbox, progress, k)
                #expect(try fixture.files("rec") == [], "died at \(k), then at \(j)")
                if log.count <= j { break }
                j += 1
            }
        }
    }

    @Test(arguments: Seal.allCases) func aSecondStartFindsNothingToDo(seal: Seal) throws {
        for k in 0...seal.callsOfARecording() {
            let fixture = Fixture(inMemory: true)
            seal.record(fixture, CallLog(dyingAt: k))
            let first = try fixture.open(CallLog.quick).waiting()
            let second = try fixture.open(CallLog.quick)
            #expect(second.waiting() == first)
            #expect(second.startup == StartupReport())
        }
    }

    @Test(arguments: Seal.allCases) func whatWasDiscardedDoesNotComeBack(seal: Seal) throws {
        for k in 0...seal.callsOfARecording(discarding: true) {
            let fixture = Fixture(inMemory: true)
            let progress = seal.record(fixture, CallLog(dyingAt: k), discarding: true)
            let outbox = try fixture.open(CallLog.quick)
            #expect(try outbox.everythingIsWhole())
            if progress.discarded { #expect(outbox.waiting().isEmpty, "died at \(k)") }
        }
    }

    private let make: (Outbox) throws -> Void = { try $0.keep() }

    @Test func whatIsLetGoIsWholeOrGone() throws {
        let letGo: Deed = { try $0.letGo($1) }
        try dyingAnywhere(make: make, in: letGo) { fixture, outbox, item, done in
            #expect(outbox.waiting().isEmpty || !done)
            #expect(outbox.startup.recovered.isEmpty)
            let files = try fixture.files("out")
            #expect(files.isEmpty == outbox.waiting().isEmpty)
        }
    }

    @Test func whatIsParkedIsWholeInOnePlace() throws {
        let park: Deed = { try $0.park($1, reason: "refused") }
        try dyingAnywhere(make: make, in: park) { fixture, outbox, item, done in
            #expect(outbox.counts().waiting + outbox.counts().parked == 1)
            #expect(!done || outbox.counts().parked == 1)
            let place = outbox.counts().parked == 1 ? "parked" : "out"
            let files = try fixture.files(place).filter { !$0.contains("reason") }
            #expect(files == ["\(item.name).json", "\(item.name).opus"])
        }
    }

    @Test func whatIsSetAsideIsWholeInOnePlace() throws {
        let setAside: Deed = { try $0.setAside($1) }
        try dyingAnywhere(make: make, in: setAside) { fixture, outbox, item, done in
            #expect(outbox.counts().waiting + outbox.counts().sent == 1)
            #expect(!done || outbox.counts().sent == 1)
        }
    }

    @Test func whatIsDroppedIsWholeOrAGapIsTold() throws {
        let recording = 400 << 10
        let limits = Limits(
            maxBytes: recording, reserveFraction: 0, full: .dropOldest, headroomPerRecording: recording)
        let press: Deed = { outbox, _ in _ = try outbox.begin() }
        try dyingAnywhere(limits: limits, make: make, in: press) { fixture, outbox, item, done in
            #expect(!done || outbox.counts().gaps == 1)
            #expect(outbox.counts().waiting + outbox.counts().gaps == 1)
            for gap in outbox.gaps() {
                let told = try outbox.manifest(of: gap)
                #expect(told.kind == .gap(lost: [item.name.seq]))
            }
        }
    }

    @Test func sequenceNumbersAreNeverGivenTwice() throws {
        let fixture = Fixture(inMemory: true)
        var last: UInt64 = 0
        for k in 0..<200 {
            // Dies somewhere between the start and some presses later.
            if let outbox = try? fixture.open(CallLog(dyingAt: k % 40).calls) {
                for _ in 0..<k % 70 {
                    guard let name = try? outbox.reserveName() else { break }
                    #expect(name.seq > last)
                    last = name.seq
                }
            }
        }
        #expect(last > 0)
    }
}
