import Wire

/// The paired host as a place to ask: finds the address that answers and stays with it.
final class Connection {
    private let client: Client
    private let shared: Shipper.Shared
    /// The address that answered last, first.
    private var addresses: [HostAddress]

    init(host: PairedHost, credentials: Credentials, shared: Shipper.Shared) throws(ShipperError) {
        client = try Client(host: host, credentials: credentials)
        self.shared = shared
        addresses = host.addresses
    }

    /// Asks at each address until one answers. Addresses are hints and the pin decides: a stranger at one of them
    /// counts only when the host is at none.
    func ask(_ request: HTTPRequest) throws(ShipperError) -> HTTPAnswer {
        var stranger: ShipperError?
        var last: ShipperError?
        for address in addresses {
            do throws(ShipperError) {
                let shared = shared
                let answer = try client.exchange(
                    request, at: address, doorbell: shared.doorbell.descriptor,
                    isStopped: {
                        // Rung for another reason, the bell would ring on; its message is in `signals`.
                        shared.doorbell.clear()
                        return shared.isStopped
                    })
                if address != addresses.first {
                    addresses.removeAll { $0 == address }
                    addresses.insert(address, at: 0)
                }
                return answer
            } catch .noAnswer(.mistrusted, let place, let reason) {
                stranger = .noAnswer(.mistrusted, address: place, reason: reason)
            } catch .noAnswer(.unreachable, let place, let reason) {
                last = .noAnswer(.unreachable, address: place, reason: reason)
            }
            guard request.body?.seek(to: 0) ?? true else { break }
        }
        throw stranger ?? last ?? .noAnswer(.unreachable, address: "(none)", reason: "no address is known")
    }
}
