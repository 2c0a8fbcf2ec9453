/// Where a host listens: `name:port`, `192.168.1.20:8443`, `[fe80::1]:8443`.
package struct HostAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address; an IPv6 address without its brackets.
    package let host: String
    package let port: UInt16

    /// Nil when `host` is empty or holds a character that no name and no address has.
    package init?(host: String, port: UInt16 = TransferLimit.defaultPort) {
        guard port > 0, (1...255).contains(host.utf8.count), host.utf8.allSatisfy(Self.belongsInAHost) else {
            return nil
        }
        self.host = host
        self.port = port
    }

    /// Reads `description`; without a port it is the default one.
    package init?(_ text: some StringProtocol) {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let inside = text[text.index(after: text.startIndex)..<end]
            guard inside.contains(":") else { return nil }
            self.init(host: String(inside), portText: String(text[text.index(after: end)...]))
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            self.init(host: String(text[..<end]), portText: String(text[end...]))
        }
    }

    package var description: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    private init?(host: String, portText: String) {
        if portText.isEmpty {
            self.init(host: host)
        } else {
            let digits = portText.dropFirst()
            guard portText.hasPrefix(":"), digits.utf8.allSatisfy({ (48...57).contains($0) }),
                let port = UInt16(digits)
            else { return nil }
            self.init(host: host, port: port)
        }
    }

    /// Letters, digits, and `-._:%` (the last two for IPv6 and its zone).
    private static func belongsInAHost(_ c: UInt8) -> Bool {
        switch c {
        case 48...58, 65...90, 97...122, 37, 45, 46, 95: true
        default: false
        }
    }
}
