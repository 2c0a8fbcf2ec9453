import Foundation
import Inbox
import Outbox
import Sealing
import Shipper
import TestSupport
import Testing
import Wire

/// Sealed recordings on their way: to a host that can open them, and to no other.
struct ShipperSealedTests {
    private func names(_ items: [OutboxItem]) -> [ItemName] { items.map(\.name) }

    @Test(arguments: [0, 1, 65_536, 65_537, 255_000, 1_000_000])
    func aSealedUtteranceRingsIsStoredAndIsLetGo(bytes: Int) throws {
        let world = try ShipperWorld()
        try world.pair()
        let sound = noise(bytes)
        let item = try world.record(sound, to: [world.hostKey.recipient])
        #expect(item.sealed)
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        #expect(world.events.kinds == ["rung", "stored", "let go", "idle"])
        #expect(try world.stored(item) == sound)
        #expect(world.outbox.waiting().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: item.audioPath))
    }

    /// What went over the link holds neither sound nor text.
    @Test func theHostStoresWhatWasSealedAsItCame() throws {
        let world = try ShipperWorld()
        try world.pair()
        let item = try world.record(noise(70_000), to: [world.hostKey.recipient])
        let sealed = try Data(contentsOf: URL(fileURLWithPath: item.audioPath))
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        let audio = try #require(try world.inbox.utterances(idPrefix: item.name.id).first?.audio)
        #expect(audio.isSealed)
        #expect(try Data(contentsOf: URL(fileURLWithPath: audio.path)) == sealed)
    }

    @Test func whatIsSealedToAnotherKeyIsHeldBackAndIsInNobodysWay() throws {
        let world = try ShipperWorld()
        try world.pair()
        let stranger = AgeIdentity.generate()
        let first = try world.record(noise(1_000, seed: 1), to: [stranger.recipient])
        let second = try world.record(noise(1_000, seed: 2), to: [world.hostKey.recipient])
        let third = try world.record(noise(1_000, seed: 3), to: [stranger.recipient])
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        #expect(world.events.kinds == ["rung", "stored", "let go", "held back 2", "idle"])
        #expect(names(world.outbox.waiting()) == [first.name, third.name])
        #expect(try world.stored(second) == noise(1_000, seed: 2))
        #expect(try world.inbox.utterances().count == 1)
        // Not told again while nothing changed.
        let fourth = try world.record(noise(1_000, seed: 4), to: [world.hostKey.recipient])
        shipper.wake(reset: true)
        #expect(world.events.waitForIdle(2))
        #expect(world.events.kinds.filter { $0.hasPrefix("held") } == ["held back 2"])
        #expect(try world.stored(fourth) == noise(1_000, seed: 4))
        // The host gets the key, and the device learns of it by its next pairing.
        try world.inbox.keys.keep([stranger])
        try world.pair(recipients: [world.hostKey.recipient, stranger.recipient])
        shipper.wake(reset: true)
        #expect(world.events.waitForIdle(3))
        shipper.shutDown()
        #expect(world.events.kinds.suffix(2) == ["held back 0", "idle"])
        #expect(world.outbox.waiting().isEmpty)
        #expect(try world.stored(first) == noise(1_000, seed: 1))
        #expect(try world.stored(third) == noise(1_000, seed: 3))
    }

    @Test func anyOneKeyOfSeveralIsEnough() throws {
        let world = try ShipperWorld()
        try world.pair()
        let backup = AgeIdentity.generate().recipient
        let item = try world.record(noise(1_000), to: [backup, world.hostKey.recipient])
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        #expect(try world.stored(item) == noise(1_000))
    }

    @Test func aLongQueueOfAnotherHostsRecordingsCostsOneLookAtEach() throws {
        let world = try ShipperWorld()
        try world.pair()
        let stranger = AgeIdentity.generate().recipient
        for seed in 0..<200 { try world.record(noise(10, seed: UInt64(seed)), to: [stranger]) }
        let item = try world.record(noise(1_000), to: [world.hostKey.recipient])
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        #expect(try world.stored(item) == noise(1_000))
        #expect(world.events.kinds.contains("held back 200"))
    }

    /// The device was told that the host holds the key, and it does not: keys of the host were mixed up.
    @Test func whatTheHostCannotOpenIsParkedWithTheHostsWords() throws {
        let world = try ShipperWorld()
        let lost = AgeIdentity.generate().recipient
        try world.pair(recipients: [lost])
        let item = try world.record(noise(100_000), to: [lost])
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        #expect(world.events.kinds == ["parked", "idle"])
        let counts = world.outbox.counts()
        #expect(counts.waiting == 0 && counts.parked == 1)
        let parked = world.folder.file("outbox/parked/")
        let note = try String(contentsOfFile: parked + "\(item.name).reason.txt", encoding: .utf8)
        #expect(note.contains("The host says: ") && note.contains("\(lost)"), "\(note)")
        #expect(FileManager.default.fileExists(atPath: parked + "\(item.name).wav.age"))
        #expect(FileManager.default.fileExists(atPath: parked + "\(item.name).json.age"))
        #expect(try world.inbox.utterances().allSatisfy { !$0.isWhole })
    }

    @Test func anotherSigningKeyIsRefusedAndNothingIsLost() throws {
        let world = try ShipperWorld()
        try world.pair()
        let item = try world.record(noise(1_000), to: [world.hostKey.recipient])
        let shipper = Shipper(
            outbox: world.outbox, credentials: world.credentials, signing: .generate(),
            destination: { world.pairing.withLock { $0 }.map(Destination.paired) },
            report: { world.events.add($0) })
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        #expect(world.events.kinds == ["parked", "idle"])
        #expect(
            FileManager.default.fileExists(
                atPath: world.folder.file("outbox/parked/\(item.name).wav.age")))
        #expect(try world.inbox.utterances().isEmpty)
    }

    /// A crash leaves whole chunks, a journal of the seconds since, and the manifest of the press.
    @Test(arguments: [1_000, 65_536, 200_000])
    func aPartThatACrashLeftIsShippedWithItsTail(bytes: Int) throws {
        let sound = noise(bytes)
        let host = AgeIdentity.generate()
        let world = try ShipperWorld(before: { outbox in
            let recording = try outbox.begin(
                format: "wav", recipients: [host.recipient], head: ShipperWorld.manifest)
            try sound.withUnsafeBytes { try recording.append($0) }
            try recording.sync()
        })
        try world.inbox.keys.keep([host])
        try world.pair(recipients: [world.hostKey.recipient, host.recipient])
        let item = try #require(world.outbox.waiting().first)
        #expect(world.outbox.startup.recovered == [item.name])
        #expect(item.isSealedPart)
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        #expect(world.events.kinds == ["rung", "stored", "let go", "idle"])
        #expect(try world.stored(item) == sound)
        #expect(try FileManager.default.contentsOfDirectory(atPath: world.folder.file("outbox/out")) == [])
    }

    /// A card was cloned, or moved to a board that made new keys: what waits on both is the same utterance.
    @Test func aClonedCardsRecordingsAreTheSameOnes() throws {
        let world = try ShipperWorld()
        try world.pair()
        let item = try world.record(noise(300_000), to: [world.hostKey.recipient])
        let clone = world.folder.file("clone")
        try FileManager.default.copyItem(atPath: world.folder.file("outbox"), toPath: clone)
        let first = world.ship()
        #expect(world.events.waitForIdle())
        first.shutDown()

        let other = try ShipperWorld(paired: false)
        let token = try world.inbox.makeToken(life: .seconds(600))
        _ = try world.inbox.pair(
            token: token, pin: other.deviceIdentity.pinHex, name: "clone",
            signingKey: other.signing.publicKeyHex)
        let outbox = try Outbox(directory: clone, salvage: { _, _ in .nothing })
        #expect(outbox.waiting().map(\.name) == [item.name])
        let second = Shipper(
            outbox: outbox, credentials: other.credentials, signing: other.signing,
            destination: { world.pairing.withLock { $0 }.map(Destination.paired) },
            report: { other.events.add($0) })
        #expect(other.events.waitForIdle())
        second.shutDown()
        #expect(other.events.kinds == ["rung", "stored", "let go", "idle"])
        #expect(try world.inbox.utterances().count == 1)
        #expect(try world.stored(item) == noise(300_000))
        #expect(outbox.waiting().isEmpty)
    }

    @Test func aSealedManifestThatNamesNobodyIsParked() throws {
        let world = try ShipperWorld()
        try world.pair()
        let item = try world.record(noise(1_000), to: [world.hostKey.recipient])
        let nameless = AgeSealer.seal([1, 2, 3], to: [world.hostKey.recipient])
        try Data(nameless).write(to: URL(fileURLWithPath: item.manifestPath))
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        #expect(world.events.kinds == ["parked", "idle"])
    }
}
