import Foundation
import Outbox
import TestSupport
import Testing
import Wire

@Suite struct StartUpTests {
    private let fixture = Fixture()
    private let name = sure(ItemName(seq: 41, id: String(repeating: "ab", count: 16)))
    private let sound = FakeSound.head + [1, 2, 3]

    @Test func aRecordingInProgressIsFinishedWithItsHead() throws {
        try fixture.put("rec/\(name).opus", sound)
        try fixture.put("rec/\(name).head", headManifest(name).encoded())
        let outbox = try fixture.open()
        #expect(outbox.startup.recovered == [name])
        let item = try #require(outbox.waiting().first)
        let found = try Manifest(parsing: content(item.manifestPath))
        #expect(found.recovered && found.endReason == "recovered" && found.frames == 3)
        #expect(found.mode == "press" && found.start.boot == 2)
        #expect(try outbox.everythingIsWhole())
    }

    @Test(arguments: ["", "{\"seq\":4"]) func aTornHeadCostsNoSound(head: String) throws {
        try fixture.put("rec/\(name).opus", sound)
        try fixture.put("rec/\(name).head", Array(head.utf8))
        let outbox = try fixture.open()
        #expect(outbox.waiting().map(\.name) == [name])
        #expect(try outbox.everythingIsWhole())
    }

    @Test func audioInOutWithoutItsManifestIsFinished() throws {
        try fixture.put("out/\(name).opus", sound)
        let outbox = try fixture.open()
        #expect(outbox.startup.recovered == [name])
        #expect(outbox.waiting().map(\.name) == [name])
        #expect(try outbox.everythingIsWhole())
    }

    @Test func aManifestWithoutAudioWasReceived() throws {
        try fixture.put("out/\(name).json", headManifest(name).encoded())
        let outbox = try fixture.open()
        #expect(outbox.waiting().isEmpty && outbox.startup.removed == [name])
        #expect(try fixture.files("out") == [])
    }

    @Test(arguments: [[], FakeSound.head]) func whatNeverHeldSoundIsRemoved(bytes: [UInt8]) throws {
        try fixture.put("rec/\(name).opus", bytes)
        try fixture.put("rec/\(name).head", headManifest(name).encoded())
        let outbox = try fixture.open()
        #expect(outbox.startup.removed == [name])
        #expect(try fixture.files("rec") == [])
        #expect(try fixture.files("parked") == [])
    }

    @Test func whatCannotBeDecodedIsParkedWithANote() throws {
        try fixture.put("rec/\(name).opus", [9, 9, 9])
        try fixture.put("rec/\(name).head", headManifest(name).encoded())
        let outbox = try fixture.open()
        #expect(outbox.startup.parked == ["\(name).opus"] && outbox.counts().parked == 1)
        #expect(try content("\(fixture.directory)/parked/\(name).opus") == [9, 9, 9])
        #expect(try fixture.files("parked").count == 3)
        #expect(try fixture.files("rec") == [])
        #expect(try Manifest(parsing: content("\(fixture.directory)/parked/\(name).json")).seq == 41)
    }

    @Test func soundThatTheCardDoesNotGiveJustNowStaysForTheNextStart() throws {
        try fixture.put("rec/\(name).opus", FakeSound.head + [1, 2, 3])
        do {
            let first = try Outbox(directory: fixture.directory, limits: fixture.limits) { _, _ in
                .refused(reason: "The file cannot be read.")
            }
            #expect(first.startup.problems == ["\(name): The file cannot be read."])
            #expect(first.startup.parked == [] && first.counts().waiting == 0)
        }
        #expect(try fixture.files("rec") == ["\(name).opus"])
        let second = try fixture.open()
        #expect(second.startup.recovered == [name])
    }

    @Test func aSecondFileOfAStrangeNameIsNotWrittenOverTheFirst() throws {
        try fixture.put("rec/memo.m4a", [1])
        try fixture.put("parked/memo.m4a", [2])
        let outbox = try fixture.open()
        #expect(outbox.startup.problems.count == 1 && outbox.startup.parked == [])
        #expect(try content("\(fixture.directory)/rec/memo.m4a") == [1])
        #expect(try content("\(fixture.directory)/parked/memo.m4a") == [2])
    }

    @Test(arguments: ["rec", "out", "sent"]) func aFileWithAStrangeNameIsParked(place: String) throws {
        try fixture.put("\(place)/holiday.opus", sound)
        let outbox = try fixture.open()
        #expect(outbox.startup.parked == ["holiday.opus"])
        #expect(try content("\(fixture.directory)/parked/holiday.opus") == sound)
        #expect(try fixture.files(place) == [])
    }

    @Test func namesThatReachedTheCardOutOfOrderArePutTogether() throws {
        try fixture.put("rec/\(name).opus", sound)
        try fixture.put("out/\(name).json", headManifest(name, bytes: 7).encoded())
        let outbox = try fixture.open()
        #expect(outbox.waiting().map(\.name) == [name])
        #expect(outbox.startup.removed.isEmpty)
    }

    @Test func anInterruptedDropIsUndone() throws {
        try fixture.put("out/\(name).opus", sound)
        try fixture.put("out/\(name).gap.json", headManifest(name).encoded())
        let outbox = try fixture.open()
        #expect(outbox.waiting().map(\.name) == [name] && outbox.gaps().isEmpty)
    }

    @Test func aGapIsTheHostsUntilItKnows() throws {
        try fixture.put("out/\(name).gap.json", headManifest(name).encoded())
        let outbox = try fixture.open()
        let gap = try #require(outbox.gaps().first)
        #expect(try outbox.manifest(of: gap).kind == .gap(lost: [41]))
        try outbox.letGo(gap)
        #expect(outbox.gaps().isEmpty)
        #expect(try fixture.files("out") == [])
    }

    @Test func numbersGoOnAboveWhatIsThereWhenTheirFileIsLost() throws {
        try fixture.put("parked/\(name).opus", sound)
        try fixture.put("seq", Array("garbage".utf8))
        #expect(try fixture.open().reserveName().seq == 42)
    }

    @Test func whatAFullCardCannotMendStaysForTheNextStart() throws {
        try fixture.put("rec/\(name).opus", sound)
        let full = CallLog { _, call in
            call.operation == .write && call.path.hasSuffix(".json") ? .tear(after: 2, 28) : nil
        }
        let report = try fixture.open(full.calls).startup
        #expect(report.problems.count == 1 && report.recovered.isEmpty)
        #expect(try fixture.open().startup.recovered == [name])
    }

    @Test(arguments: Seal.allCases) func nothingThatWaitsIsOpened(seal: Seal) throws {
        for _ in 0..<20 { try fixture.open(CallLog.quick).keep(seal) }
        let log = CallLog()
        let outbox = try fixture.open(log.calls)
        #expect(outbox.counts().waiting == 20)
        let calls = log.take(fixture.directory)
        #expect(calls.filter { $0.hasPrefix("open") || $0.hasPrefix("read") } == ["open seq", "read seq"])
        #expect(calls.filter { $0.hasPrefix("size out/") }.count == 40)
    }

    /// A program that was killed may not have come to its syncs.
    @Test(arguments: Seal.allCases) func whatAStartFindsIsBroughtToTheCardBeforeItIsActedOn(seal: Seal) throws
    {
        do {
            let recording = try fixture.open().begin(seal)
            try recording.say(10)
            try recording.finish()
        }
        let log = CallLog()
        _ = try fixture.open(log.calls)
        let calls = log.take(fixture.directory)
        let move = try #require(calls.firstIndex { $0.hasPrefix("rename rec/N.opus") })
        for needed in [
            "syncFolder rec", "syncFolder out", "sync rec/N.opus\(seal.suffix)",
            "sync rec/N.json\(seal.suffix)",
        ] {
            #expect(calls[..<move].contains(needed), "\(needed)")
        }
        #expect(calls.firstIndex(of: "syncFolder out") ?? .max < calls.firstIndex(of: "list out") ?? 0)
    }

    @Test func aStrangeFileIsNotWrittenOverAParkedOne() throws {
        try fixture.put("parked/holiday.opus", sound)
        try fixture.put("rec/holiday.opus", sound + sound)
        let report = try fixture.open().startup
        #expect(report.parked.isEmpty && report.problems.count == 1)
        #expect(try content("\(fixture.directory)/parked/holiday.opus") == sound)
        #expect(try content("\(fixture.directory)/rec/holiday.opus") == sound + sound)
    }
}
