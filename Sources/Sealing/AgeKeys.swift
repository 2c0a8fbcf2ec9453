import CSodium

/// An X25519 public key that files are sealed to: `age1…`.
package struct AgeRecipient: Hashable, Sendable, CustomStringConvertible {
    /// Always 32 bytes; never a point of low order, so that sealing to it cannot fail.
    package let publicKey: [UInt8]

    /// Nil when the text is no `age1…` key, or one whose shared secrets anybody knows.
    package init?(_ text: String) {
        guard let key = Bech32.decode(text, prefix: "age") else { return nil }
        self.init(publicKey: key)
    }

    /// Nil when this is not 32 bytes, or a point of low order.
    package init?(publicKey: [UInt8]) {
        guard publicKey.count == Int(crypto_scalarmult_BYTES) else { return nil }
        // Any scalar shows it: the product with a point of low order is the neutral element, and refused.
        let scalar = Secret.random(count: Int(crypto_scalarmult_SCALARBYTES))
        guard sharedSecret(of: scalar, with: publicKey) != nil else { return nil }
        self.publicKey = publicKey
    }

    /// The public half of a private key.
    init(of secret: Secret) {
        var key = [UInt8](repeating: 0, count: Int(crypto_scalarmult_BYTES))
        let result = secret.read { crypto_scalarmult_base(&key, $0.octets) }
        precondition(result == 0, "a private key has a public half")
        publicKey = key
    }

    /// `age1…`, 62 characters.
    package var description: String { Bech32.encode(publicKey, prefix: "age") }
}

/// An X25519 private key that opens files: `AGE-SECRET-KEY-1…`. Wiped from memory with the last value that holds it.
package struct AgeIdentity: Sendable {
    private static let prefix = "AGE-SECRET-KEY-"

    let secret: Secret
    /// What files are sealed to, to be opened by this key.
    package let recipient: AgeRecipient

    /// A new key from the kernel's generator.
    package static func generate() -> AgeIdentity {
        AgeIdentity(secret: .random(count: Int(crypto_scalarmult_SCALARBYTES)))
    }

    /// Nil when the text is no `AGE-SECRET-KEY-1…` key.
    package init?(_ text: String) {
        guard let key = Bech32.decode(text, prefix: Self.prefix),
            key.count == Int(crypto_scalarmult_SCALARBYTES)
        else { return nil }
        self.init(secret: Secret(copying: key))
    }

    private init(secret: Secret) {
        self.secret = secret
        recipient = AgeRecipient(of: secret)
    }

    /// `AGE-SECRET-KEY-1…`, 74 characters. To be shown only when the owner asks for the key.
    package var text: String { Bech32.encode(secret.read { Array($0) }, prefix: Self.prefix) }

    /// The file that `age -i` takes, as age-keygen writes it: the recipient as a comment, then the key.
    package func file() -> [UInt8] { Array("# public key: \(recipient)\n\(text)\n".utf8) }

    /// The keys of such a file: one a line; empty lines and lines that begin with `#` say nothing.
    ///
    /// - Throws: `AgeError.badKey` for any other line, and for a file without a key.
    package static func parse(file: [UInt8]) throws(AgeError) -> [AgeIdentity] {
        var identities: [AgeIdentity] = []
        let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
            guard let identity = AgeIdentity(String(decoding: line, as: UTF8.self)) else {
                throw .badKey(reason: "line \(index + 1) of its file is no AGE-SECRET-KEY-1 key")
            }
            identities.append(identity)
        }
        guard !identities.isEmpty else { throw .badKey(reason: "its file holds no AGE-SECRET-KEY-1 line") }
        return identities
    }
}

/// X25519 (RFC 7748); nil when the point is of low order (RFC 7748 §6.1: the all-zero result must be refused).
func sharedSecret(of scalar: Secret, with point: [UInt8]) -> Secret? {
    precondition(point.count == Int(crypto_scalarmult_BYTES), "a point has 32 bytes")
    var result: Int32 = -1
    let shared = Secret(count: Int(crypto_scalarmult_BYTES)) { out in
        result = scalar.read { crypto_scalarmult(out.octets, $0.octets, point) }
    }
    return result == 0 ? shared : nil
}
