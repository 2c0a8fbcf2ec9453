import DurableFiles
import Foundation
import HTTPServer
import HostLink
import Identity
import Inbox
import LocalInbox
import Outbox
import Receiver
import Sealing
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
    let server: Server
    let events = ShipperEvents()
    let pairing = Mutex<PairedHost?>(nil)
    /// The host knows the device's signatures by it, when the device is paired.
    let signing = SigningKey.generate()
    /// The host's own key.
    let hostKey: AgeIdentity

    /// A host that knows the device already.
    ///
    /// - Parameter before: gets the outbox of an earlier run of the device; what it leaves unfinished, a crash left.
    init(
        paired: Bool = true, limits: Limits = Limits(reserveFraction: 0),
        before: ((Outbox) throws -> Void)? = nil
    ) throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("device"), withIntermediateDirectories: true)
        deviceIdentity = try Identity.loadOrMake(folder: folder.file("device"), name: "device") {
            path, bytes in
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        }
        hostIdentity = try Identity.make(name: "host")
        if let before {
            try before(
                Outbox(directory: folder.file("outbox"), limits: limits, salvage: { _, _ in .nothing }))
        }
        outbox = try Outbox(
            directory: folder.file("outbox"), limits: limits,
            salvage: { _, _ in .nothing })
        inbox = try Inbox(folder: folder.file("inbox"))
        hostKey = try inbox.keys.makeOwn().identity
        if paired {
            let token = try inbox.makeToken(life: .seconds(600))
            _ = try inbox.pair(
                token: token, pin: deviceIdentity.pinHex, name: "device", signingKey: signing.publicKeyHex)
        }
        let box = HostEventBox()
        server = try Server(
            Routes(inbox: inbox, hostName: "desk", report: { box.add($0) }), identity: hostIdentity,
            listen: ListenAddress(address: "127.0.0.1", port: 0), running: .threadPerConnection)
        self.box = box
    }

    private let box: HostEventBox

    /// What the host saw.
    var hostLog: [HostEvent] { box.all }

    var credentials: Credentials { Credentials(folder: folder.file("device")) }

    func address(_ port: UInt16? = nil) throws -> HostAddress {
        try #require(HostAddress(host: "127.0.0.1", port: port ?? server.address.port))
    }

    /// The device takes the host for its own.
    ///
    /// - Parameter recipients: what the device believes that the host can open; by default the host's own key.
    func pair(
        ports: [UInt16?] = [nil], pin: [UInt8]? = nil, recipients: Set<AgeRecipient>? = nil
    ) throws {
        let host = PairedHost(
            addresses: try ports.map(address), pin: pin ?? hostIdentity.pin,
            recipients: recipients ?? [hostKey.recipient])
        pairing.withLock { $0 = host }
    }

    /// - Parameter destination: nil is the paired host, whoever that is when it is asked.
    func ship(to destination: Destination? = nil, ways: Shipper.Ways = .init()) -> Shipper {
        Shipper(
            outbox: outbox, credentials: credentials, signing: signing, ways: ways,
            destination: { destination ?? self.pairing.withLock { $0 }.map(Destination.paired) },
            report: { self.events.add($0) })
    }

    static func manifest(_ name: ItemName) -> Manifest {
        Manifest(
            utterance: name.id, seq: name.seq, start: .init(monotonic: 1, boot: 1, wall: 1), format: "wav",
            rate: 16_000, channels: 1)
    }

    /// One finished recording of these bytes.
    @discardableResult
    func record(_ bytes: [UInt8], to recipients: [AgeRecipient] = []) throws -> OutboxItem {
        let recording = try outbox.begin(format: "wav", recipients: recipients, head: Self.manifest)
        try bytes.withUnsafeBytes { try recording.append($0) }
        try recording.finish { count, sha256 in
            var finished = Self.manifest(recording.name)
            finished.bytes = count
            finished.sha256 = sha256
            return finished
        }
        return try recording.commit()
    }

    /// The host's sound of an utterance; nil while the host does not have it whole.
    func stored(_ item: OutboxItem) throws -> [UInt8]? {
        let all = try inbox.utterances(idPrefix: item.name.id)
        guard let utterance = all.first, utterance.isWhole, let audio = utterance.audio else { return nil }
        return try inbox.withAudio(audio) { try Array(Data(contentsOf: URL(fileURLWithPath: $0))) }
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
