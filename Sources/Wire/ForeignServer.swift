/// A tus 1.0.0 server that is not Lapel's, as the setting `foreign` names it. It proves nothing: it gets sealed files
/// alone, and what it acknowledges is only weakly received.
package struct ForeignServer: Hashable, Sendable, CustomStringConvertible {
    /// `https`, whose certificate must be good by the machine's own authorities; else `http`.
    package let isSecure: Bool
    package let address: HostAddress
    /// The path, with its query if it has one, that creates uploads.
    package let path: String

    /// Reads `https://HOST[:PORT]/PATH` or the same with `http`. Nil for anything else: without a host, with a user's
    /// name or password, with a fragment, or with characters that no URL has.
    package init?(_ text: String) {
        guard text.utf8.count <= 2_000, text.utf8.allSatisfy({ (33...126).contains($0) }) else { return nil }
        let schemes: [(prefix: String, isSecure: Bool, port: UInt16)] = [
            ("https://", true, 443), ("http://", false, 80),
        ]
        let lower = text.prefix(8).lowercased()
        guard let scheme = schemes.first(where: { lower.hasPrefix($0.prefix) }) else { return nil }
        let rest = text.dropFirst(scheme.prefix.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest[authority.endIndex...]
        let afterHost = authority.hasPrefix("[") ? authority.drop { $0 != "]" } : authority
        let place = afterHost.contains(":") ? String(authority) : "\(authority):\(scheme.port)"
        guard !path.contains("#"), !authority.contains("#"), let address = HostAddress(place) else {
            return nil
        }
        isSecure = scheme.isSecure
        self.address = address
        self.path = path.hasPrefix("/") ? String(path) : "/" + path
    }

    package var description: String { "\(isSecure ? "https" : "http")://\(address)\(path)" }
}
