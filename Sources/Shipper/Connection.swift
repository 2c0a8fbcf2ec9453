import Wire

/// A destination as a place to ask: finds the address that answers and stays with it.
final class Connection {
    private let client: Client
    private let shared: Shipper.Shared
    private let discovery: Discovery
    /// The address that answered last, first.
    private var addresses: [HostAddress]
    /// Called with the address of an answer that came from another place than the one before.
    private let found: (HostAddress) -> Void

    /// - Parameter last: where it answered last, as far as is known.
    init(
        to destination: Destination, credentials: Credentials, last: HostAddress?, discovery: Discovery,
        shared: Shipper.Shared, found: @escaping (HostAddress) -> Void
    ) throws(ShipperError) {
        switch destination {
        case .paired(let host): client = try Client(.pinned(host.pin, credentials))
        case .foreign(let server): client = try Client(.foreign(isSecure: server.isSecure))
        }
        self.shared = shared
        self.discovery = discovery
        self.found = found
        addresses = (last.map { [$0] } ?? []) + destination.addresses.filter { $0 != last }
    }

    /// Asks at all addresses until one answers. Addresses are hints and the pin decides: a stranger at one of them
    /// counts only when the host is at none.
    func ask(_ request: HTTPRequest) throws(ShipperError) -> HTTPAnswer {
        let shared = shared
        let (answer, place) = try client.exchange(
            request, at: addresses, discovery: discovery, doorbell: shared.doorbell.descriptor,
            isStopped: {
                // Rung for another reason, the bell would ring on; its message is in `signals`.
                shared.doorbell.clear()
                return shared.isStopped
            })
        if place != addresses.first {
            addresses.removeAll { $0 == place }
            addresses.insert(place, at: 0)
            found(place)
        }
        return answer
    }
}
