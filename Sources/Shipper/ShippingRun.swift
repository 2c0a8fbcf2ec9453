import Glibc
import HostLink
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
    let destination: @Sendable () -> Destination?
    let ways: Shipper.Ways
    let report: @Sendable (ShipperEvent) -> Void
    var queue = ShippingQueue()
    /// Deliveries that wait in the middle.
    var deliveries: [ItemName: Delivery] = [:]
    /// How often each could not be read.
    var unread: [ItemName: Int] = [:]
    /// So often the card is asked for an item before that is parked.
    static let readingTries = 3
    var connection: HostConnection?
    private var current: Destination?
    /// Open while something waits in vain.
    private var links: LinkWatch?
    private var saidIdle = false
    private var heldBack = WithheldItems()
    private var saidHeldBack = 0

    init(
        outbox: Outbox, credentials: Credentials, signing: SigningKey?, shared: Shipper.Shared,
        ways: Shipper.Ways, destination: @escaping @Sendable () -> Destination?,
        report: @escaping @Sendable (ShipperEvent) -> Void
    ) {
        self.outbox = outbox
        self.credentials = credentials
        self.signing = signing
        self.shared = shared
        self.ways = ways
        self.destination = destination
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
        let destination = destination()
        if destination != current {
            connection = nil
            deliveries = [:]
            queue.reset()
            current = destination
            heldBack = WithheldItems()
        }
        guard let destination else {
            links = nil
            return rest(nil)
        }
        let waiting = parcels(for: destination)
        var left = heldBack.others(of: waiting)[...]
        // Every round but the last holds one back.
        while true {
            let now = MonotonicClock.now
            switch queue.next(left.lazy.map(\.name), now: now) {
            case .deliver(let name):
                saidIdle = false
                guard let index = left.firstIndex(where: { $0.name == name }) else { return }
                if deliver(left[index], to: destination) { return }
                heldBack.names.insert(name)
                // The oldest, as a rule: a slice loses its first in no time.
                if index == left.startIndex { left.removeFirst() } else { left.remove(at: index) }
            case .sleep(let until): return rest(until - now, hopes: true)
            case .mistrusted: return rest(nil, hopes: true)
            case .nothing:
                deliveries = [:]
                links = nil
                // Closed before it is said: whoever hears "idle" may count descriptors.
                connection = nil
                tellWithheldItems()
                if !saidIdle { report(.idle) }
                saidIdle = true
                return rest(nil)
            }
        }
    }

    private func parcels(for destination: Destination) -> [Parcel] {
        let items = outbox.waiting().map(Parcel.item)
        // The record of a gap lies in the clear: it waits for a paired host.
        guard case .paired = destination else { return items }
        let gaps = outbox.gaps()
        return gaps.isEmpty ? items : (items + gaps.map(Parcel.gap)).sorted { $0.name < $1.name }
    }

    private func tellWithheldItems() {
        guard let count = heldBack.news(since: saidHeldBack) else { return }
        saidHeldBack = count
        switch current {
        case .foreign?: report(.heldInTheClear(count: count))
        case .paired?, nil: report(.heldBack(count: count))
        }
    }

    /// The connection to `destination`, made when there is none.
    func connected(to destination: Destination) throws(ShipperError) -> HostConnection {
        if let connection { return connection }
        let (ways, shared) = (ways, shared)
        do throws(HostLinkError) {
            let made: HostConnection
            switch destination {
            case .paired(let host):
                made = try HostConnection(
                    to: .pinned(host.pin, credentials), at: host.addresses,
                    last: ways.memory.recall(host.pin), discovery: ways.discovery,
                    doorbell: shared.doorbell, isStopped: { shared.isStopped },
                    found: { ways.memory.keep(host.pin, $0) })
            case .foreign(let server):
                made = try HostConnection(
                    to: .foreign(isSecure: server.isSecure), at: [server.address],
                    doorbell: shared.doorbell, isStopped: { shared.isStopped })
            }
            connection = made
            return made
        } catch {
            throw .link(error)
        }
    }

    /// Blocks until the doorbell rings, the time is over or, where something waits in vain, the network came up;
    /// without a connection.
    private func rest(_ time: Duration?, hopes: Bool = false) {
        connection = nil
        tellWithheldItems()
        if hopes, links == nil { links = LinkWatch() }
        let watched = hopes ? links?.descriptor ?? -1 : -1
        var bells = [
            pollfd(fd: shared.doorbell.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: watched, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = time.map { Int32(clamping: $0.wholeNanoseconds / 1_000_000 + 1) } ?? -1
        // An interrupted wait only makes the loop look once more.
        poll(&bells, 2, milliseconds)
        if bells[1].revents != 0, links?.cameUp() == true { queue.reset() }
    }
}
