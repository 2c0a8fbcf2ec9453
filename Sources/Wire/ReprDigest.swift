/// The receipt's form: `Repr-Digest: sha-256=:<base64>:` (RFC 9530, a structured-field dictionary of RFC 8941).
package struct ReprDigest: Hashable, Sendable {
    /// SHA-256 of the whole upload as the host stored it, 32 bytes.
    package let sha256: [UInt8]

    /// Nil unless there are 32 bytes.
    package init?(sha256: [UInt8]) {
        guard sha256.count == 32 else { return nil }
        self.sha256 = sha256
    }

    /// From 64 hexadecimal digits; nil for anything else.
    package init?(hex: String) {
        guard let bytes = Hex.decode(hex) else { return nil }
        self.init(sha256: bytes)
    }

    /// 64 lower-case hexadecimal digits.
    package var hex: String { Hex.encode(sha256) }

    /// The header's value.
    package var header: String { "sha-256=:" + Base64.encode(sha256) + ":" }

    /// Takes the `sha-256` member of the dictionary; other algorithms may stand beside it.
    package init(parsing header: String) throws(WireError) {
        for member in header.split(separator: ",") {
            let text = member.drop { $0 == " " || $0 == "\t" }
            guard text.hasPrefix("sha-256=:") else { continue }
            let value = text.dropFirst("sha-256=:".count)
            guard let end = value.firstIndex(of: ":"), let bytes = Base64.decode(value[..<end]),
                let digest = ReprDigest(sha256: bytes)
            else { throw .header(name: TusHeader.reprDigest, reason: "sha-256 is not 32 bytes in base64") }
            self = digest
            return
        }
        throw .header(name: TusHeader.reprDigest, reason: "it has no sha-256")
    }
}
