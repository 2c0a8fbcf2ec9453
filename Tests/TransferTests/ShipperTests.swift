import Foundation
import Outbox
import Shipper
import TestSupport
import Testing
import Wire

/// The device's side of the transfer against the real host, over real TLS.
struct ShipperTests {
    @Test(arguments: [1, 255_999, 256_000, 256_001, 3_000_000])
    func anUtteranceRingsIsStoredAndIsLetGo(bytes: Int) throws {
        let world = try ShipperWorld()
        try world.pair()
        let audio = noise(bytes)
        let item = try world.record(audio)
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        #expect(world.events.kinds == ["rung", "stored", "let go", "idle"])
        #expect(try world.stored(item) == audio)
        #expect(world.outbox.waiting().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: item.audioPath))
    }

    @Test func aQueueDrainsInOrderOverOneConnectionWhichIsClosedWhenIdle() throws {
        let world = try ShipperWorld()
        let relay = Relay(to: world.server.address.port)
        try world.pair(ports: [relay.port])
        let items = try (0..<20).map { try world.record(noise(1_000, seed: $0)) }
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        #expect(relay.waitUntilClosed())
        #expect(relay.count == 1)
        let gone = world.events.all.compactMap { if case .letGo(let name, _) = $0 { name } else { nil } }
        #expect(gone == items.map(\.name))
        shipper.shutDown()
        relay.stop()
    }

    @Test func aNewUtteranceWakesAnIdleShipper() throws {
        let world = try ShipperWorld()
        try world.pair()
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        let item = try world.record(noise(5_000))
        shipper.wake(reset: true)
        #expect(world.events.waitForIdle(2))
        shipper.shutDown()
        #expect(try world.stored(item) == noise(5_000))
    }

    @Test func anUnpairedDeviceSendsNothingAndKeepsEverything() throws {
        let world = try ShipperWorld()
        try world.record(noise(100))
        let shipper = world.ship()
        shipper.wake(reset: true)
        shipper.shutDown()
        #expect(world.events.all.isEmpty)
        #expect(world.outbox.waiting().count == 1)
    }

    @Test func aStrangerAtTheHostsAddressGetsNothingUntilThePairingChanges() throws {
        let world = try ShipperWorld()
        try world.pair(pin: Array(repeating: 7, count: 32))
        let item = try world.record(noise(1_000))
        let shipper = world.ship()
        #expect(world.events.wait { !$0.isEmpty })
        #expect(world.events.kinds == ["mistrusted"])
        #expect(world.hostLog.isEmpty)
        #expect(world.outbox.waiting() == [item])
        try world.pair()
        shipper.wake(reset: false)
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        #expect(try world.stored(item) == noise(1_000))
    }

    @Test func aHostThatDoesNotKnowTheDeviceStopsTheTransferAndParksNothing() throws {
        let world = try ShipperWorld(paired: false)
        try world.pair()
        let item = try world.record(noise(1_000))
        let shipper = world.ship()
        #expect(world.events.wait { !$0.isEmpty })
        shipper.shutDown()
        #expect(world.events.kinds == ["mistrusted"])
        #expect(world.outbox.waiting() == [item])
    }

    @Test func theHostIsFoundAtItsSecondAddress() throws {
        let world = try ShipperWorld()
        try world.pair(ports: [1, nil])
        try world.record(noise(1_000))
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        #expect(world.events.kinds == ["rung", "stored", "let go", "idle"])
    }

    @Test func anUnreachableHostIsToldOnceAndTriedAtOnceAfterAPress() throws {
        let world = try ShipperWorld()
        try world.pair(ports: [1])
        let item = try world.record(noise(1_000))
        let shipper = world.ship()
        #expect(world.events.wait { $0.contains { if case .unreachable = $0 { true } else { false } } })
        try world.pair()
        shipper.wake(reset: true)
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        #expect(
            world.events.kinds.filter { $0 != "unreachable" } == ["rung", "stored", "let go", "idle"])
        #expect(try world.stored(item) == noise(1_000))
    }

    @Test func aConnectionThatBreaksAgainAndAgainStillDeliversOnce() throws {
        let world = try ShipperWorld()
        // A megabyte in pieces of at most 100 kB, each ended by a reset at another place.
        let rules = (0..<16).map { Relay.Rule(upBytes: 20_000 + 7_001 * $0) }
        let relay = Relay(to: world.server.address.port, rules: rules)
        try world.pair(ports: [relay.port])
        let item = try world.record(noise(1_000_000))
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        relay.stop()
        #expect(relay.count > 5)
        #expect(world.events.kinds.filter { $0 == "let go" || $0 == "stored" } == ["stored", "let go"])
        #expect(try world.stored(item) == noise(1_000_000))
        #expect(try world.inbox.utterances().count == 1)
    }

    @Test(arguments: [0, 1, 500, 1_000, 1_200, 1_500, 1_700, 2_000])
    func anAnswerThatIsLostIsAskedForAgain(bytes: Int) throws {
        let world = try ShipperWorld()
        let relay = Relay(to: world.server.address.port, rules: [.init(downBytes: bytes)])
        try world.pair(ports: [relay.port])
        let item = try world.record(noise(10_000))
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        relay.stop()
        #expect(try world.stored(item) == noise(10_000))
        #expect(try world.inbox.utterances().count == 1)
    }

    @Test func aRottenFileIsParkedAndTheOthersGoOn() throws {
        let world = try ShipperWorld()
        try world.pair()
        let rotten = try world.record(noise(1_000, seed: 1))
        let good = try world.record(noise(1_000, seed: 2))
        try Data(noise(1_000, seed: 3)).write(to: URL(fileURLWithPath: rotten.audioPath))
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        #expect(world.events.all.contains(.parked(rotten.name, reason: ParkReason.rotten.description)))
        #expect(try world.stored(good) == noise(1_000, seed: 2))
        #expect(world.outbox.waiting().isEmpty && world.outbox.counts().parked == 1)
    }

    @Test func aManifestThatIsNoneIsParkedAndTheOthersGoOn() throws {
        let world = try ShipperWorld()
        try world.pair()
        let damaged = try world.record(noise(1_000, seed: 1))
        let good = try world.record(noise(1_000, seed: 2))
        try Data("{}".utf8).write(to: URL(fileURLWithPath: damaged.manifestPath))
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        #expect(world.events.kinds == ["parked", "rung", "stored", "let go", "idle"])
        #expect(try world.stored(good) == noise(1_000, seed: 2))
    }

    /// A folder in the file's place: it opens, and every read of it fails.
    @Test(arguments: [false, true]) func whatCannotBeReadOnceIsSentWhenItCan(manifest: Bool) throws {
        let world = try ShipperWorld()
        try world.pair()
        let item = try world.record(noise(300_000))
        let file = manifest ? item.manifestPath : item.audioPath
        let aside = world.folder.file("aside")
        try FileManager.default.moveItem(atPath: file, toPath: aside)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        let shipper = world.ship()
        #expect(world.events.wait(for: "problem"))
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.moveItem(atPath: aside, toPath: file)
        shipper.wake(reset: true)
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        #expect(!world.events.kinds.contains("parked"))
        #expect(try world.stored(item) == noise(300_000))
    }

    @Test func whatCannotBeReadThreeTimesIsParkedAndNamed() throws {
        let world = try ShipperWorld()
        try world.pair()
        let item = try world.record(noise(300_000))
        try FileManager.default.removeItem(atPath: item.audioPath)
        try FileManager.default.createDirectory(atPath: item.audioPath, withIntermediateDirectories: false)
        let shipper = world.ship()
        for tries in 1...2 {
            #expect(world.events.wait(for: "problem", tries))
            shipper.wake(reset: true)
        }
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        let reason = world.events.all.compactMap {
            if case .parked(_, let reason) = $0 { reason } else { nil }
        }
        #expect(reason.count == 1 && reason[0].hasPrefix(item.audioPath), "\(reason)")
    }

    @Test func anUtteranceThatWasDroppedUnsentIsToldToTheHostAsAGap() throws {
        let limits = Limits(
            maxBytes: 150_000, reserveFraction: 0, full: .dropOldest, headroomPerRecording: 10_000)
        let world = try ShipperWorld(limits: limits)
        try world.pair()
        let items = try (0..<4).map { try world.record(noise(50_000, seed: $0)) }
        let gaps = world.outbox.gaps()
        try #require(gaps.first?.name == items[0].name)
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        #expect(world.outbox.gaps().isEmpty && world.outbox.waiting().isEmpty)
        let told = try world.inbox.utterances(idPrefix: items[0].name.id)
        #expect(told.first?.manifest?.kind == .gap(lost: [items[0].name.seq]))
        #expect(try world.stored(items[3]) == noise(50_000, seed: 3))
    }

    @Test func shuttingDownEndsATransferThatStandsStill() throws {
        let world = try ShipperWorld()
        let relay = Relay(to: world.server.address.port, rules: [.init(isDeaf: true)])
        try world.pair(ports: [relay.port])
        let item = try world.record(noise(1_000))
        let shipper = world.ship()
        #expect(relay.waitForConnection())
        let before = ContinuousClock.now
        shipper.shutDown()
        // The connection would have been given up after 10 s.
        #expect(ContinuousClock.now - before < .seconds(5))
        #expect(world.outbox.waiting() == [item])
        relay.stop()
    }
}
