import DurableFiles
import Foundation
import Identity
import Inbox
import Outbox
import Receiver
import Shipper
import Synchronization
import TestSupport
import Testing
import Wire

/// A device and a host on one machine, each with its own folder and key, over real TLS.
final class ShipperWorld: Sendable {
    let folder = TemporaryFolder()
    let deviceIdentity: Identity
    let hostIdentity: Identity
    let outbox: Outbox
    let inbox: Inbox
    let server: HostServer
    let events = ShipperEvents()
    let pairing = Mutex<PairedHost?>(nil)

    /// A host that knows the device already.
    init(paired: Bool = true, limits: Limits = Limits(reserveFraction: 0)) throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("device"), withIntermediateDirectories: true)
        deviceIdentity = try Identity.loadOrMake(folder: folder.file("device"), name: "device") {
            path, bytes in
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        }
        hostIdentity = try Identity.make(name: "host")
        outbox = try Outbox(
            directory: folder.file("outbox"), limits: limits,
            salvage: { _, _ in .nothing })
        inbox = try Inbox(folder: folder.file("inbox"))
        if paired { try inbox.addDevice(pin: deviceIdentity.pinHex, name: "device") }
        let box = HostEventBox()
        server = try HostServer(
            identity: hostIdentity, inbox: inbox, hostName: "desk",
            listen: ListenAddress(address: "127.0.0.1", port: 0), report: { box.add($0) })
        self.box = box
    }

    private let box: HostEventBox

    /// What the host saw.
    var hostLog: [HostEvent] { box.all }

    var credentials: Credentials { Credentials(folder: folder.file("device")) }

    func address(_ port: UInt16? = nil) throws -> HostAddress {
        try #require(HostAddress(host: "127.0.0.1", port: port ?? server.address.port))
    }

    func pair(ports: [UInt16?] = [nil], pin: [UInt8]? = nil) throws {
        let host = PairedHost(addresses: try ports.map(address), pin: pin ?? hostIdentity.pin)
        pairing.withLock { $0 = host }
    }

    func ship() -> Shipper {
        Shipper(
            outbox: outbox, credentials: credentials, host: { self.pairing.withLock { $0 } },
            report: { self.events.add($0) })
    }

    /// One finished recording of these bytes.
    @discardableResult
    func record(_ bytes: [UInt8]) throws -> OutboxItem {
        func manifest(_ name: ItemName) -> Manifest {
            Manifest(
                utterance: name.id, seq: name.seq, start: .init(monotonic: 1, boot: 1, wall: 1),
                format: "wav",
                rate: 16_000, channels: 1)
        }
        let recording = try outbox.begin(format: "wav", head: manifest)
        try bytes.withUnsafeBytes { try recording.append($0) }
        try recording.finish { count, sha256 in
            var finished = manifest(recording.name)
            finished.bytes = count
            finished.sha256 = sha256
            return finished
        }
        return try recording.commit()
    }

    /// The host's file of an utterance; nil while the host does not have it whole.
    func stored(_ item: OutboxItem) throws -> [UInt8]? {
        let all = try inbox.utterances(idPrefix: item.name.id)
        guard let utterance = all.first, utterance.isWhole, let audio = utterance.audio else { return nil }
        return try Array(Data(contentsOf: URL(fileURLWithPath: audio.path)))
    }
}

/// Collects what the host reports on its connections' threads.
private final class HostEventBox: Sendable {
    private let events = Mutex<[HostEvent]>([])
    func add(_ event: HostEvent) { events.withLock { $0.append(event) } }
    var all: [HostEvent] { events.withLock { $0 } }
}

/// Bytes that differ from place to place.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes += $0 } }
    return Array(bytes.prefix(count))
}
