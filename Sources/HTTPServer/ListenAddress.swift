import Glibc

/// Where a server listens: a numeric IPv4 or IPv6 address and a port, which may be 0 for a free one.
package struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
    /// Without brackets.
    package let address: String
    /// 0 asks for a free one.
    package let port: UInt16

    package init(address: String, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// Reads `192.168.1.20:8443` or `[::]:8443`; nil for anything else, names included: a name may stand for
    /// another machine tomorrow.
    package init?(_ text: some StringProtocol) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var address = String(text[..<colon])
        if address.hasPrefix("["), address.hasSuffix("]") { address = String(address.dropFirst().dropLast()) }
        guard Self.family(of: address) != nil else { return nil }
        self.init(address: address, port: port)
    }

    package var description: String { (address.contains(":") ? "[\(address)]" : address) + ":\(port)" }

    /// All addresses of the machine.
    package var isWildcard: Bool { address == "0.0.0.0" || address == "::" }

    static func family(of address: String) -> Int32? {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, address, &four) == 1 { return AF_INET }
        return inet_pton(AF_INET6, address, &six) == 1 ? AF_INET6 : nil
    }
}
