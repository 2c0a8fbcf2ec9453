import Glibc
import Threads
import Wire

/// Whether and where the network is asked for the host.
package enum Discovery: Equatable, Sendable {
    case off
    /// Multicast DNS on every interface that is up.
    case multicast
    /// One responder at an IPv4 address and port.
    case responder(address: String, port: UInt16)
}

/// One search of the network (`HostSearch`), open for at most 1.5 s: an IPv4 datagram socket that asks twice. Where
/// nothing can be sent, nothing is found.
final class Search {
    /// Answers to multicast are delayed by up to 120 ms (RFC 6762, 6); Wi-Fi loses datagrams, so it is asked twice.
    private static let repeats: Duration = .milliseconds(500)
    private static let lasts: Duration = .milliseconds(1_500)

    private let search: HostSearch
    private let targets: [Target]
    /// Readable when an answer is here; -1 when nobody can be asked.
    let descriptor: Int32
    private let begun: Duration
    private var isRepeated = false

    private struct Target {
        let address: sockaddr_in
        /// Of the interface to send from, in network order; nil: as the system routes.
        let interface: in_addr?
    }

    init(_ discovery: Discovery, pin: [UInt8], places: [HostAddress], now: Duration) {
        search = HostSearch(id: .random(in: .min ... .max), pin: pin, places: places)
        begun = now
        targets = Self.targets(discovery)
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        descriptor = targets.isEmpty ? -1 : socket(AF_INET, kind, 0)
        ask()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether answers may still come.
    func isOver(now: Duration) -> Bool { descriptor < 0 || now >= begun + Self.lasts }

    /// When something is to be done.
    var due: Duration { begun + (isRepeated ? Self.lasts : Self.repeats) }

    /// Asks again when it is time, and takes what has come: where the host may be.
    func advance(now: Duration) -> [HostAddress] {
        guard descriptor >= 0 else { return [] }
        if !isRepeated, now >= begun + Self.repeats {
            isRepeated = true
            ask()
        }
        var places: [HostAddress] = []
        // The largest message of multicast DNS (RFC 6762, 17).
        var buffer = [UInt8](repeating: 0, count: 9_000)
        // A flood of answers is not read for ever.
        for _ in 0..<64 {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { break }
            places += search.places(in: Array(buffer.prefix(count)))
        }
        return places
    }

    private func ask() {
        guard descriptor >= 0 else { return }
        let query = search.query
        for target in targets {
            if var interface = target.interface {
                setsockopt(
                    descriptor, Int32(IPPROTO_IP), IP_MULTICAST_IF, &interface,
                    socklen_t(MemoryLayout<in_addr>.size))
            }
            withUnsafePointer(to: target.address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    // A network that takes nothing now is asked once more, and that was it.
                    _ = sendto(
                        descriptor, query, query.count, Int32(MSG_NOSIGNAL), $0,
                        socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    private static func targets(_ discovery: Discovery) -> [Target] {
        switch discovery {
        case .off: return []
        case .responder(let text, let port):
            return address(text, port).map { [Target(address: $0, interface: nil)] } ?? []
        case .multicast:
            guard let group = address("224.0.0.251", 5353) else { return [] }
            return interfaces().map { Target(address: group, interface: $0) }
        }
    }

    private static func address(_ text: String, _ port: UInt16) -> sockaddr_in? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        return inet_pton(AF_INET, text, &address.sin_addr) == 1 ? address : nil
    }

    /// The IPv4 addresses of the interfaces that carry multicast; the loopback reaches nobody.
    private static func interfaces() -> [in_addr] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [in_addr] = []
        var next = first
        while let one = next?.pointee {
            next = one.ifa_next
            let flags = Int32(bitPattern: one.ifa_flags)
            let wanted = Int32(IFF_UP) | Int32(IFF_MULTICAST)
            guard flags & wanted == wanted, flags & Int32(IFF_LOOPBACK) == 0,
                let address = one.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET)
            else { continue }
            found.append(address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr })
        }
        return found
    }
}
