import Glibc
import Outbox
import Sealing
import Threads
import Wire

/// The sending thread's own state and its loop.
final class ShippingRun {
    let outbox: Outbox
    let credentials: Credentials
    let signing: SigningKey?
    let shared: Shipper.Shared
    let host: @Sendable () -> PairedHost?
    let report: @Sendable (ShipperEvent) -> Void
    var queue = ShippingQueue()
    /// Deliveries that wait in the middle.
    var deliveries: [ItemName: Delivery] = [:]
    /// How often each could not be read.
    var unread: [ItemName: Int] = [:]
    /// So often the card is asked for an item before that is parked.
    static let readingTries = 3
    var connection: Connection?
    private var pairing: PairedHost?
    private var saidIdle = false
    private var heldBack = HeldBack()
    private var saidHeldBack = 0

    init(
        outbox: Outbox, credentials: Credentials, signing: SigningKey?, shared: Shipper.Shared,
        host: @escaping @Sendable () -> PairedHost?, report: @escaping @Sendable (ShipperEvent) -> Void
    ) {
        self.outbox = outbox
        self.credentials = credentials
        self.signing = signing
        self.shared = shared
        self.host = host
        self.report = report
    }

    func untilStopped() {
        while true {
            shared.doorbell.clear()
            let signals = shared.signals.withLock { signals in
                defer { signals.reset = false }
                return signals
            }
            if signals.stop { return }
            if signals.reset { queue.reset() }
            step()
        }
    }

    private func step() {
        let host = host()
        if host != pairing {
            connection = nil
            deliveries = [:]
            queue.reset()
            pairing = host
            heldBack = HeldBack()
        }
        guard let host else { return rest(nil) }
        let waiting = parcels()
        var left = heldBack.others(of: waiting)[...]
        // Every round but the last holds one back.
        while true {
            let now = MonotonicClock.now
            switch queue.next(left.lazy.map(\.name), now: now) {
            case .deliver(let name):
                saidIdle = false
                guard let index = left.firstIndex(where: { $0.name == name }) else { return }
                if deliver(left[index], to: host) { return }
                heldBack.names.insert(name)
                // The oldest, as a rule: a slice loses its first in no time.
                if index == left.startIndex { left.removeFirst() } else { left.remove(at: index) }
            case .sleep(let until): return rest(until - now)
            case .mistrusted: return rest(nil)
            case .nothing:
                deliveries = [:]
                // Closed before it is said: whoever hears "idle" may count descriptors.
                connection = nil
                tellHeldBack()
                if !saidIdle { report(.idle) }
                saidIdle = true
                return rest(nil)
            }
        }
    }

    private func parcels() -> [Parcel] {
        let items = outbox.waiting().map(Parcel.item)
        let gaps = outbox.gaps()
        return gaps.isEmpty ? items : (items + gaps.map(Parcel.gap)).sorted { $0.name < $1.name }
    }

    private func tellHeldBack() {
        guard let count = heldBack.news(since: saidHeldBack) else { return }
        saidHeldBack = count
        report(.heldBack(count: count))
    }

    /// Blocks until the doorbell rings or the time is over; without a connection.
    private func rest(_ time: Duration?) {
        connection = nil
        tellHeldBack()
        var bell = pollfd(fd: shared.doorbell.descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = time.map { Int32(clamping: $0.wholeNanoseconds / 1_000_000 + 1) } ?? -1
        // An interrupted wait only makes the loop look once more.
        poll(&bell, 1, milliseconds)
    }
}
