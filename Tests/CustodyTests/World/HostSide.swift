import DurableFiles
import Glibc
import Inbox
import LocalInbox
import Sealing
import TestSupport
import Wire

@testable import HTTPServer
@testable import Receiver

/// A host: its disk, and the program that runs on it from start to start.
final class HostSide {
    let number: Int
    let disk: SimulatedDisk
    private(set) var life: Life
    private(set) var inbox: Inbox?
    private(set) var routes: Routes?
    private var lock: ServingLock?
    /// What devices seal to.
    private(set) var recipient: AgeRecipient?
    /// Of the keys that it holds.
    private(set) var keys: Set<AgeRecipient> = []
    private(set) var identities: [AgeIdentity] = []
    /// Requests whose connection broke and whose host has not noticed.
    var halfOpen: [Ghost] = []
    /// Parts that it has given a receipt for, by utterance: their SHA-256.
    private(set) var receipts: [String: [UploadKind: String]] = [:]
    /// Runs of the program so far.
    private(set) var starts = 0
    /// In which run an upload got its first byte, by path.
    var begun: [String: Int] = [:]
    /// Stored files that were compared, with the version that they had.
    var verified: [String: Int] = [:]
    private let wall: Wall

    /// The host's clocks; the wall clock jumps.
    final class Wall: @unchecked Sendable {
        var boot: Int64 = 1_000_000_000
        var wall: Int64 = 1_700_000_000_000_000_000
    }

    /// A request that is not over, or is sent again.
    struct Ghost {
        let exchange: HTTPServer.Exchange
        let rest: [UInt8]
    }

    var folder: String { "\(DatabaseDisks.root)\(number)/host" }
    static let pin = String(repeating: "d0", count: 32)

    init(_ number: Int, capacity: Int) {
        self.number = number
        disk = SimulatedDisk(capacity: capacity)
        wall = Wall()
        life = Life(.host)
        for path in ["/simulated", "/simulated/\(number)"] {
            _ = disk.makeFolder(path, mode: 0o700)
            _ = disk.syncFolder(DurableFiles.folder(of: path))
        }
    }

    deinit {
        shutDown()
        DatabaseDisks.unmount(number)
    }

    /// Starts the program; throws when it dies, or cannot work, before it listens.
    func start(_ life: Life, signing: SigningKey) throws {
        shutDown()
        self.life = life
        starts += 1
        wall.boot += 1_000_000_000
        DatabaseDisks.mount(number, DatabaseDisk(disk) { life.pass($0) })
        let wall = wall
        let clock = HostClock {
            wall.boot += 1_000_000
            wall.wall += 1_000_000
            return HostInstant(boot: wall.boot, bootID: "boot", wall: wall.wall)
        }
        let inbox = try Inbox(
            folder: folder, clock: clock, salvage: { try Self.salvage($0, $1) },
            calls: FileCalls(on: disk) { life.pass($0) })
        self.inbox = inbox
        lock = try ServingLock(inbox)
        _ = try inbox.recover()
        recipient = try inbox.keys.makeOwn().identity.recipient
        if try !inbox.isPaired(Self.pin) {
            try inbox.addDevice(pin: Self.pin, name: "wrist", signingKey: signing.publicKeyHex)
        }
        noteKeys()
        routes = Routes(inbox: inbox, hostName: "host", report: { _ in })
        if life.isDead { throw BrokenPromise(0, "it died") }
    }

    /// The program is gone, and with it whatever it had open.
    func shutDown() {
        life.step = .shutDown
        halfOpen = []
        routes = nil
        lock = nil
        inbox = nil
    }

    func noteKeys() {
        guard let held = try? inbox?.keys.all() else { return }
        identities = held.map(\.identity)
        keys = Set(identities.map(\.recipient))
    }

    /// Whatever was put together is valid; how long it is, is a matter of the file.
    private static func salvage(_ path: String, _ format: String) throws -> SalvagedSound {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Undecodable() }
        return SalvagedSound(frames: Int(status.st_size), rate: 16_000, channels: 1)
    }

    func isFull(_ error: any Error) -> Bool { (error as? InboxError)?.isFull ?? false }

    func jumpWall(by nanoseconds: Int64) { wall.wall += nanoseconds }

    func noteReceipt(_ utterance: String, _ kind: UploadKind, _ sha256: String) {
        receipts[utterance, default: [:]][kind] = sha256
    }
}
