import CSodium

/// An Ed25519 key (RFC 8032) that says which device made a file: age itself does not authenticate a sender.
package struct SigningKey: Sendable {
    /// libsodium's secret key: the seed, then the public key.
    private let secret: Secret
    /// The public key as 64 lower-case hexadecimal digits.
    package let publicKeyHex: String

    /// A new key from the kernel's generator.
    package static func generate() -> SigningKey {
        SigningKey(of: .random(count: Int(crypto_sign_SEEDBYTES)))
    }

    /// The key of a seed that was kept; nil when this is not 32 bytes.
    package init?(seed: [UInt8]) {
        guard seed.count == Int(crypto_sign_SEEDBYTES) else { return nil }
        self.init(of: Secret(copying: seed))
    }

    private init(of seed: Secret) {
        var publicKey = [UInt8](repeating: 0, count: Int(crypto_sign_PUBLICKEYBYTES))
        secret = Secret(count: Int(crypto_sign_SECRETKEYBYTES)) { out in
            seed.read { _ = crypto_sign_seed_keypair(&publicKey, out.octets, $0.octets) }
        }
        publicKeyHex = hexText(publicKey)
    }

    /// The 32 secret bytes that make this key again: to be kept, and shown to nobody.
    package var seed: [UInt8] { secret.read { Array($0.prefix(Int(crypto_sign_SEEDBYTES))) } }

    /// The signature of a message: 64 bytes, the same each time.
    package func sign(_ message: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: Int(crypto_sign_BYTES))
        secret.read {
            _ = crypto_sign_detached(&signature, nil, message, UInt64(message.count), $0.octets)
        }
        return signature
    }
}

/// Whether the key's owner signed the message. False for keys and signatures of a wrong shape, too.
package func signatureFits(_ signature: [UInt8], _ message: [UInt8], publicKeyHex: String) -> Bool {
    guard signature.count == Int(crypto_sign_BYTES), let key = hexBytes(publicKeyHex),
        key.count == Int(crypto_sign_PUBLICKEYBYTES)
    else { return false }
    return crypto_sign_verify_detached(signature, message, UInt64(message.count), key) == 0
}
