import DurableFiles
import Glibc
import Outbox
import Sealing
import TestSupport
import Wire

@testable import Shipper

/// A device, its hosts and what lies between, under one seed: each event is one step of one of them, any call in it
/// may be the last of its program, and the promises are checked after each.
///
/// Used by one thread.
final class World: @unchecked Sendable {
    /// How a world is made.
    struct Plan {
        var seed: UInt64
        /// It ends after so many deaths with an utterance in flight, and then everything must come to rest.
        var crashes = 100
        var tracing = false
        /// Half of the worlds, when nil.
        var sealed: Bool?
    }

    let plan: Plan
    var random: SeededGenerator
    var tally = Tally()

    // The device.
    let deviceDisk: SimulatedDisk
    var deviceLife = Life(.device)
    var device: DeviceSide?
    let limits: Limits
    /// By utterance.
    var truths: [String: Truth] = [:]
    /// In the order of their presses; those that are owed nothing more are dropped.
    var open: [Truth] = []
    /// Receipts that reached the device: by utterance, by host.
    var delivered: [String: [Int: Set<UploadKind>]] = [:]
    var now: Duration = .seconds(1)
    /// Sealed to keys that the paired host does not hold.
    var heldBack: Set<ItemName> = []
    let signing: SigningKey
    let isSealed: Bool
    /// Its programs die where programs seldom come.
    let isHunted: Bool

    // The hosts: the last one is paired.
    var hosts: [HostSide] = []
    var host: HostSide { hosts[hosts.count - 1] }
    var replays: [Replay] = []

    /// Of 100: how many requests meet a misfortune.
    var trouble: Int
    /// Of 100: how many lives get a last call. 0 when everything shall come to rest.
    var doom = 60
    /// The first broken promise.
    var broken: BrokenPromise?
    private var truthCount: UInt64 = 0
    /// A press that is not a recording yet.
    var isPressed = false

    var hasSomethingToLose: Bool { isPressed || open.contains(where: \.isInFlight) }

    let copies = Copies()

    static let directory = "/device/outbox"

    init(_ plan: Plan) {
        self.plan = plan
        random = SeededGenerator(seed: plan.seed)
        let small = Int.random(in: 0..<6, using: &random) == 0
        let size = small ? Int.random(in: 3...8, using: &random) << 20 : 1 << 30
        deviceDisk = SimulatedDisk(capacity: size)
        limits = Limits(maxBytes: 1 << 28, headroomPerRecording: small ? 400 << 10 : 1 << 20)
        isSealed = plan.sealed ?? (plan.seed % 2 == 0)
        isHunted = plan.seed % 5 == 3
        if isSealed { deviceDisk.forbidden = Truth.marker }
        signing = .generate()
        trouble = [5, 20, 50, 80][Int.random(in: 0..<4, using: &random)]
        for path in ["/device", Self.directory] {
            _ = deviceDisk.makeFolder(path, mode: 0o700)
            _ = deviceDisk.syncFolder(folder(of: path))
        }
        addHost()
    }

    /// All keys of all hosts.
    var identities: [AgeIdentity] { hosts.flatMap(\.identities) }

    func say(_ text: @autoclosure () -> String) { if plan.tracing { print(text()) } }

    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    var nextTruthSeed: UInt64 {
        truthCount += 1
        return plan.seed &* 1_000_003 &+ truthCount
    }

    func addHost() {
        let small = Int.random(in: 0..<10, using: &random) == 0
        let number = Int(plan.seed % 1_000_000) * 10 + hosts.count
        hosts.append(
            HostSide(number, capacity: small ? Int.random(in: 1...3, using: &random) << 20 : 1 << 30))
    }

    /// Runs to its end; throws the first broken promise.
    func run() throws {
        if plan.tracing { say("world \(plan.seed)") }
        try startHost()
        try startDevice()
        // A card that is full of what no host takes ends a world early.
        while tally.crashes < plan.crashes, tally.events < 50 * plan.crashes + 1000 {
            try step()
            tally.events += 1
        }
        try comeToRest()
    }

    /// One event, and what follows from it.
    func step() throws {
        threaten(deviceLife, within: 30)
        threaten(host.life, within: 60)
        let failedSyncs = deviceDisk.failedSyncs
        try act()
        if deviceDisk.failedSyncs != failedSyncs { damageOpen() }
        try bury()
        try check()
    }

    /// Gives a life its last call, most of the time.
    private func threaten(_ life: Life, within calls: Int) {
        guard !life.isDoomed, doom > 0, chance(doom) else { return }
        life.die(
            after: Int.random(in: 0..<calls, using: &random),
            tearing: Int.random(in: 0..<5000, using: &random))
    }

    private func act() throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<52: try recordSomething()
        case 52..<90: try ship()
        case 90..<94: try late()
        case 94: now += .seconds(Int64.random(in: 1...400, using: &random))
        case 95: if chance(20) { try withdraw() } else { device?.queue.reset() }
        case 96:
            if chance(30) {
                host.jumpWall(
                    by: Int64.random(in: -800_000_000...800_000_000, using: &random) * 1_000_000_000)
            }
            try forgetHalfUploads()
        case 97: if chance(25) { deviceDisk.syncsUntilFailure = Int.random(in: 0..<6, using: &random) }
        case 98: if chance(5), hosts.count < 4 { try replaceHost() }
        default:
            // Somebody pulls the plug, or stops the host in good order.
            if chance(30) { try restartHostInOrder() }
        }
    }

    private func forgetHalfUploads() throws {
        guard let inbox = host.inbox else { return }
        say("half uploads are forgotten")
        host.life.step = .forget
        _ = try? inbox.expire()
    }

    /// The host's owner has an utterance forgotten.
    private func withdraw() throws {
        let known = host.receipts.keys.sorted()
        guard let inbox = host.inbox, !known.isEmpty else { return }
        let id = known[Int.random(in: 0..<known.count, using: &random)]
        guard let truth = truths[id], truth.withdrawn == nil else { return }
        say("forget \(truth.name.seq)")
        host.life.step = .forget
        truth.withdrawn = .asked
        truth.withdrawnFrom = host.number
        guard let done = try? inbox.forget(utterance: id), done, !host.life.isDead else { return }
        truth.withdrawn = .done
    }

    private func restartHostInOrder() throws {
        say("host: restart")
        host.shutDown()
        try startHost()
    }

    func replaceHost() throws {
        say("the host is replaced by an empty one")
        tally.hostsReplaced += 1
        host.shutDown()
        note(host.life)
        if host.life.isDead { end(host.disk) }
        replays = []
        addHost()
        device?.forgetDeliveries()
        heldBack = []
        try startHost()
        // Sometimes the new one is given the old one's keys.
        if chance(50), let inbox = host.inbox {
            host.life.step = .startUp
            _ = try? inbox.keys.keep(identities)
            host.noteKeys()
        }
    }
}
