import DurableFiles
import Inbox
import LocalInbox
import TestSupport
import Testing
import Wire

/// When an utterance was spoken, whatever the device's clock says. A day of a device is a list of boots.
@Suite struct InboxTimeTests {
    let folder = TemporaryFolder(inMemory: true)
    let hand = HandClock(wall: morning)

    /// Seconds and nanoseconds of a morning.
    static let morning: Int64 = 1_800_000_000_000_000_000
    static let second: Int64 = 1_000_000_000

    /// The device's wall clock as an offset to the truth, in seconds, and what it jumps by between press and end.
    static let clocks: [(offset: Int64, jump: Int64)] = [
        (0, 0), (-1_800_000_000, 0), (-1_800_000_000, 1_800_000_000), (0, 86_400), (0, -86_400),
        (0, 26 * 31_557_600), (0, -26 * 31_557_600), (3600, 0), (0, 3600), (0, -3600), (0, 1), (0, -1),
    ]

    private func inbox() throws -> Inbox { try Inbox(folder: folder.path, clock: hand.clock) }

    /// The manifest of number `seq`, pressed at `boot` seconds of a boot.
    private func manifest(
        _ seq: UInt64, boot id: String, at boot: Int64, length: Int64 = 2,
        wall: (offset: Int64, jump: Int64) = (0, 0),
        synchronised: Bool? = nil, truth: Int64 = 0
    ) -> Part {
        func stamp(_ seconds: Int64, jump: Int64) -> Manifest.Stamp {
            // The monotonic clock stands while the machine sleeps: it tells nothing of the time of day.
            .init(
                monotonic: seconds * Self.second / 2, boot: seconds * Self.second,
                wall: Self.morning + (truth + wall.offset + jump) * Self.second)
        }
        var manifest = Manifest(
            utterance: Part.id(seq), seq: seq, start: stamp(boot, jump: 0), format: "opus", rate: 16_000,
            channels: 1)
        manifest.end = stamp(boot + length, jump: wall.jump)
        manifest.device = Part.wrist
        manifest.bootID = id
        manifest.wallSynchronised = synchronised
        manifest.frames = Int(length) * 16_000
        return Part(Part.id(seq), .manifest, manifest.encoded(), seq: seq, ext: "json", device: Part.wrist)
    }

    private func contact(_ inbox: Inbox, boot id: String, at boot: Int64) {
        inbox.noteContact(
            device: Part.wrist, clock: LapelClock(bootID: id, boot: boot * Self.second, monotonic: 0))
    }

    /// Seconds since the morning, and by how many it may be off.
    private func start(_ inbox: Inbox, _ seq: UInt64) throws -> (
        at: Int64, off: Int64?, source: MappedTime.Source
    )? {
        var times = inbox.times()
        let utterance = try #require(try inbox.utterances(idPrefix: Part.id(seq)).first)
        return try times.start(of: utterance).map {
            (($0.utc - Self.morning) / Self.second, $0.uncertainty.map { $0 / Self.second }, $0.source)
        }
    }

    @Test(arguments: clocks)
    func theDevicesClockChangesNoTimeNoLengthAndNoOrder(offset: Int64, jump: Int64) throws {
        let inbox = try inbox()
        hand.advance(seconds: 100)
        contact(inbox, boot: "b", at: 100)
        for seq: UInt64 in 1...3 {
            // The clock jumps on with each utterance.
            let wall = (offset + Int64(seq) * jump, jump)
            try inbox.receive(manifest(seq, boot: "b", at: Int64(seq) * 10, wall: wall))
        }
        let utterances = try inbox.utterances()
        #expect(utterances.map(\.seq) == [1, 2, 3])
        #expect(utterances.allSatisfy { $0.manifest?.seconds == 2 })
        for seq: UInt64 in 1...3 {
            let start = try start(inbox, seq)
            #expect(start?.at == Int64(seq) * 10)
            #expect(start?.off == 0)
            #expect(start?.source == .contact)
        }
    }

    /// The host's clock repeats a second; the device's boot clock does not.
    @Test func aLeapSecondIsInTheUncertainty() throws {
        let inbox = try inbox()
        contact(inbox, boot: "b", at: 0)
        hand.advance(seconds: 100)
        hand.setWall(Self.morning + 99 * Self.second)
        contact(inbox, boot: "b", at: 100)
        try inbox.receive(manifest(1, boot: "b", at: 50))
        #expect(try start(inbox, 1)?.at == 49)
        #expect(try start(inbox, 1)?.off == 1)
    }

    /// `CLOCK_BOOTTIME` runs through suspend, so a night in which the device slept is in it.
    @Test func aNightOfSleepIsCounted() throws {
        let inbox = try inbox()
        contact(inbox, boot: "b", at: 0)
        hand.advance(seconds: 30_000)
        try inbox.receive(manifest(1, boot: "b", at: 29_000))
        #expect(try start(inbox, 1)?.at == 29_000)
    }

    /// boot a (contact 0…100) · b (lasted 50, no contact) · c (contact, begins at 1000)
    private func day(synchronised: Bool?, wall: (offset: Int64, jump: Int64) = (0, 0)) throws -> Inbox {
        let inbox = try inbox()
        contact(inbox, boot: "a", at: 0)
        try inbox.receive(manifest(1, boot: "a", at: 0))
        hand.advance(seconds: 100)
        contact(inbox, boot: "a", at: 100)
        try inbox.storeContacts()
        hand.advance(seconds: 900)
        contact(inbox, boot: "c", at: 0)
        hand.advance(seconds: 200)
        try inbox.receive(
            manifest(2, boot: "b", at: 10, wall: wall, synchronised: synchronised, truth: 500))
        try inbox.receive(
            manifest(3, boot: "b", at: 50, wall: wall, synchronised: synchronised, truth: 540))
        contact(inbox, boot: "c", at: 200)
        try inbox.receive(manifest(4, boot: "c", at: 20))
        return inbox
    }

    @Test(arguments: clocks)
    func aBootWithoutContactLiesBetweenItsNeighbours(offset: Int64, jump: Int64) throws {
        let inbox = try day(synchronised: nil, wall: (offset, jump))
        // Its zero is from 100 to 1000 - 50, so 525 give or take 425; and 40 s between the two presses, exactly.
        let second = try start(inbox, 2)
        let third = try start(inbox, 3)
        #expect(second?.source == .neighbours)
        #expect(second?.at == 535 && second?.off == 425)
        #expect(third?.at == 575 && third?.off == 425)
        #expect(try start(inbox, 1)?.at == 0)
        #expect(try start(inbox, 4)?.at == 1020)
    }

    @Test func aSynchronisedClockNarrowsIt() throws {
        let inbox = try day(synchronised: true)
        let second = try start(inbox, 2)
        #expect(second?.source == .synchronised)
        #expect(second?.at == 500 && second?.off == 16)
        #expect(try start(inbox, 3)?.at == 540)
    }

    @Test(arguments: [-86_400, 86_400, 26 * 31_557_600] as [Int64])
    func aClockThatOnlySaysItWasSynchronisedMovesNothingOutOfItsBounds(offset: Int64) throws {
        let inbox = try day(synchronised: true, wall: (offset, 0))
        let second = try start(inbox, 2)
        #expect(second?.source == .neighbours)
        #expect(second?.at == 535)
    }

    @Test func aSynchronisedClockAtTheEdgeIsCutThere() throws {
        // The clock says that the boot began at 90, and the boot before it was seen at 100.
        let inbox = try day(synchronised: true, wall: (-400, 0))
        let second = try start(inbox, 2)
        #expect(second?.source == .synchronised)
        #expect(second?.at == 110 && second?.off == 6)
    }

    /// a (contact until 100) · b (lasted 50) · c (lasted 300) · d (contact, begins at 1000)
    @Test func twoBootsWithoutContactShareTheTimeBetweenTheirNeighbours() throws {
        let inbox = try inbox()
        contact(inbox, boot: "a", at: 0)
        try inbox.receive(manifest(1, boot: "a", at: 0))
        hand.advance(seconds: 100)
        contact(inbox, boot: "a", at: 100)
        try inbox.storeContacts()
        hand.advance(seconds: 900)
        contact(inbox, boot: "d", at: 0)
        try inbox.receive(manifest(2, boot: "b", at: 50))
        try inbox.receive(manifest(3, boot: "c", at: 300))
        // b's zero: 100 … 1000 - 300 - 50; c's: 100 + 50 … 1000 - 300.
        let first = try start(inbox, 2)
        #expect(first?.at == 375 + 50 && first?.off == 275)
        let second = try start(inbox, 3)
        #expect(second?.at == 425 + 300 && second?.off == 275)
    }

    /// Nothing was recorded in the boot that ships; it was in contact, and that is enough.
    @Test func theBootThatShippedItBoundsItToo() throws {
        let inbox = try inbox()
        hand.advance(seconds: 1000)
        contact(inbox, boot: "c", at: 0)
        hand.advance(seconds: 500)
        contact(inbox, boot: "c", at: 500)
        try inbox.receive(manifest(1, boot: "b", at: 40))
        let start = try start(inbox, 1)
        #expect(start?.source == .before)
        #expect(start?.at == 1000)
        #expect(start?.off == nil)
    }

    @Test func withoutAnyContactItWasBeforeItArrived() throws {
        let inbox = try inbox()
        hand.advance(seconds: 60)
        try inbox.receive(manifest(1, boot: "b", at: 40, wall: (-1_800_000_000, 0)))
        let start = try start(inbox, 1)
        #expect(start?.source == .before)
        #expect(start?.at == 60)
    }

    /// Its key changed with the board; the boots are the card's.
    @Test func aMovedCardsContactsCount() throws {
        let inbox = try inbox()
        inbox.noteContact(device: Part.lapel, clock: LapelClock(bootID: "b", boot: 0, monotonic: 0))
        let part = manifest(1, boot: "b", at: 40)
        try inbox.receive(
            Part(Part.id(1), .manifest, part.bytes, seq: 1, ext: "json", device: Part.lapel))
        #expect(try start(inbox, 1)?.at == 40)
        #expect(try start(inbox, 1)?.source == .contact)
    }

    @Test func impossibleTimesHarmNothing() throws {
        let inbox = try inbox()
        inbox.noteContact(device: Part.wrist, clock: LapelClock(bootID: "a", boot: .max, monotonic: 0))
        for (seq, boot) in [(1, Int64.max), (2, .min), (3, 0)] as [(UInt64, Int64)] {
            for (index, id) in ["a", "b\(seq)"].enumerated() {
                let seq = seq * 2 + UInt64(index)
                var manifest = Manifest(
                    utterance: Part.id(seq), seq: seq,
                    start: .init(monotonic: boot, boot: boot, wall: seq % 3 == 0 ? .min : .max),
                    format: "opus",
                    rate: 16_000, channels: 1)
                manifest.device = Part.wrist
                manifest.bootID = id
                manifest.wallSynchronised = true
                try inbox.receive(
                    Part(
                        Part.id(seq), .manifest, manifest.encoded(), seq: seq, ext: "json", device: Part.wrist
                    ))
            }
        }
        var times = inbox.times()
        for utterance in try inbox.utterances() { _ = try times.start(of: utterance) }
        _ = try inbox.time(ofBoot: .max, bootID: "a", device: Part.wrist)
    }
}
