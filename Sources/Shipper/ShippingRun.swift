import Glibc
import Outbox
import Sealing
import Threads
import Wire

/// The sending thread's own state and its loop.
final class ShippingRun {
    let outbox: Outbox
    let credentials: Credentials
    let shared: Shipper.Shared
    let host: @Sendable () -> PairedHost?
    let report: @Sendable (ShipperEvent) -> Void
    var queue = ShippingQueue()
    /// Deliveries that wait in the middle.
    var deliveries: [ItemName: Delivery] = [:]
    var connection: Connection?
    private var pairing: PairedHost?
    private var saidIdle = false

    init(
        outbox: Outbox, credentials: Credentials, shared: Shipper.Shared,
        host: @escaping @Sendable () -> PairedHost?, report: @escaping @Sendable (ShipperEvent) -> Void
    ) {
        self.outbox = outbox
        self.credentials = credentials
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
        }
        guard let host else { return rest(nil) }
        var parcels = outbox.waiting().map(Parcel.item)
        let gaps = outbox.gaps()
        if !gaps.isEmpty { parcels = (parcels + gaps.map(Parcel.gap)).sorted { $0.name < $1.name } }
        let now = MonotonicClock.now
        switch queue.next(parcels.map(\.name), now: now) {
        case .deliver(let name):
            saidIdle = false
            guard let parcel = parcels.first(where: { $0.name == name }) else { return }
            deliver(parcel, to: host)
        case .sleep(let until): rest(until - now)
        case .mistrusted: rest(nil)
        case .nothing:
            deliveries = [:]
            // Closed before it is said: whoever hears "idle" may count descriptors.
            connection = nil
            if !saidIdle { report(.idle) }
            saidIdle = true
            rest(nil)
        }
    }

    /// Blocks until the doorbell rings or the time is over; without a connection.
    private func rest(_ time: Duration?) {
        connection = nil
        var bell = pollfd(fd: shared.doorbell.descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = time.map { Int32(clamping: $0.wholeNanoseconds / 1_000_000 + 1) } ?? -1
        // An interrupted wait only makes the loop look once more.
        poll(&bell, 1, milliseconds)
    }
}
