/// What `lapel-host pair` prints and `lapel pair` takes:
/// `lapel://pair?h=HOST:PORT[,HOST:PORT…]&p=<pin, base64url>&t=<token, hex>`.
package struct PairingURL: Equatable, Sendable, CustomStringConvertible {
    /// Where the host may be found; at least one. They are hints, the pin decides.
    package let hosts: [HostAddress]
    /// SHA-256 of the host's public key, 32 bytes.
    package let pin: [UInt8]
    /// The one-time token, 16 bytes.
    package let token: [UInt8]

    /// Nil without a host or with a pin or token of another length.
    package init?(hosts: [HostAddress], pin: [UInt8], token: [UInt8]) {
        guard !hosts.isEmpty, pin.count == 32, token.count == 16 else { return nil }
        self.hosts = hosts
        self.pin = pin
        self.token = token
    }

    package var description: String {
        "lapel://pair?h=" + hosts.map(\.description).joined(separator: ",") + "&p="
            + Base64.encodeURLSafe(pin) + "&t=" + Hex.encode(token)
    }

    /// Reads `description`. Characters may be percent-encoded (QR readers do that); unknown fields are passed
    /// over.
    package init(parsing text: String) throws(WireError) {
        let trimmed = text.drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
        let scheme = "lapel://pair?"
        guard trimmed.lowercased().hasPrefix(scheme) else {
            throw .pairing(reason: "it does not begin with \(scheme)")
        }
        var fields: [String: String] = [:]
        for field in trimmed.dropFirst(scheme.count).split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let value = Self.withoutPercents(parts[1]) else {
                throw .pairing(reason: "its part \"\(field)\" is not a name and a value")
            }
            guard fields.updateValue(value, forKey: String(parts[0])) == nil else {
                throw .pairing(reason: "its field \(parts[0]) stands twice")
            }
        }
        var hosts: [HostAddress] = []
        for text in (fields["h"] ?? "").split(separator: ",") {
            guard let host = HostAddress(text) else {
                throw .pairing(reason: "\"\(text)\" is not a host and a port")
            }
            hosts.append(host)
        }
        guard !hosts.isEmpty else { throw .pairing(reason: "it names no host") }
        guard let pin = fields["p"].flatMap({ Base64.decodeURLSafe($0) }), pin.count == 32 else {
            throw .pairing(reason: "its pin is damaged or missing")
        }
        guard let token = fields["t"].flatMap({ Hex.decode($0) }), token.count == 16 else {
            throw .pairing(reason: "its token is damaged or missing")
        }
        self.hosts = hosts
        self.pin = pin
        self.token = token
    }

    private static func withoutPercents(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let c = rest.popFirst() {
            guard c == UInt8(ascii: "%") else {
                bytes.append(c)
                continue
            }
            guard let high = rest.popFirst().flatMap(Hex.value(of:)),
                let low = rest.popFirst().flatMap(Hex.value(of:))
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
