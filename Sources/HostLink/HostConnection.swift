import Threads
import Wire

/// A host, or a foreign server, as a place to ask: finds the address that answers and stays with it.
///
/// Used from one thread. The connection is kept between requests and closed with this.
package final class HostConnection {
    private let client: Client
    private let discovery: Discovery
    private let doorbell: WakeUp
    private let isStopped: () -> Bool
    /// The address that answered last, first.
    private var addresses: [HostAddress]
    private let found: (HostAddress) -> Void

    /// Throws `.setup` alone.
    ///
    /// - Parameters:
    ///   - addresses: where it may be, in the order of their hope.
    ///   - last: where it answered last, as far as is known.
    ///   - discovery: how the network is asked for a host; nobody is asked for a foreign server.
    ///   - doorbell: rung, it has `isStopped` looked at. Cleared here.
    ///   - isStopped: true ends the request under way. Also looked at once a second.
    ///   - found: called with the address of an answer that came from another place than the one before.
    package init(
        to peer: Peer, at addresses: [HostAddress], last: HostAddress? = nil, discovery: Discovery = .off,
        doorbell: WakeUp, isStopped: @escaping () -> Bool, found: @escaping (HostAddress) -> Void = { _ in }
    ) throws(HostLinkError) {
        client = try Client(peer)
        self.discovery = discovery
        self.doorbell = doorbell
        self.isStopped = isStopped
        self.found = found
        self.addresses = (last.map { [$0] } ?? []) + addresses.filter { $0 != last }
    }

    /// Asks at all addresses until one answers, and blocks until it has. Addresses are hints and the pin decides: a
    /// stranger at one of them counts only when the host is at none.
    package func ask(_ request: HTTPRequest) throws(HostLinkError) -> HTTPAnswer {
        let (answer, place) = try client.exchange(
            request, at: addresses, discovery: discovery, doorbell: doorbell.descriptor,
            isStopped: {
                // Rung for another reason, the bell would ring on; what it means is in `isStopped`.
                doorbell.clear()
                return isStopped()
            })
        if place != addresses.first {
            addresses.removeAll { $0 == place }
            addresses.insert(place, at: 0)
            found(place)
        }
        return answer
    }
}
