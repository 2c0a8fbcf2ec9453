import CSodium

/// The key of one file: 16 random bytes, wrapped for each recipient in the header (C2SP age, "X25519").
struct AgeFileKey {
    static let count = 16
    private static let type = "X25519"

    let secret: Secret

    static func generate() -> AgeFileKey { AgeFileKey(secret: .random(count: count)) }

    /// The stanza that gives this key to the recipient's identity, made with a key pair used once.
    func wrapped(for recipient: AgeRecipient) -> AgeStanza {
        let scalar = Secret.random(count: Int(crypto_scalarmult_SCALARBYTES))
        let share = AgeRecipient(of: scalar).publicKey
        guard let shared = sharedSecret(of: scalar, with: recipient.publicKey) else {
            preconditionFailure("a recipient is never a point of low order")
        }
        let key = Self.wrappingKey(shared, share: share, recipient: recipient)
        var body = [UInt8](repeating: 0, count: Self.count + AgeChunk.tag)
        secret.read { plain in
            body.withUnsafeMutableBytes { AgeChunk.seal(plain, nonce: Self.zeroNonce, key: key, into: $0) }
        }
        return AgeStanza(
            type: Self.type, arguments: [String(decoding: AgeBase64.encode(share), as: UTF8.self)], body: body
        )
    }

    /// The key of a file, by the first stanza that one of the identities opens, after the header's tag was checked.
    ///
    /// - Throws: `AgeError.noIdentityMatches`; `.malformed` for stanzas that no writer makes; `.wrongHeaderTag`.
    static func open(_ header: AgeHeader, with identities: [AgeIdentity]) throws(AgeError) -> AgeFileKey {
        // A passphrase beside a key would let whoever knows the one make files that the other seems to have made.
        if header.stanzas.count > 1, header.stanzas.contains(where: { $0.type == "scrypt" }) {
            throw .malformed(reason: "a passphrase must stand alone in it")
        }
        var found: Secret?
        for stanza in header.stanzas where stanza.type == type {
            let share = try share(of: stanza)
            for identity in identities where found == nil {
                found = try unwrap(stanza, share: share, with: identity)
            }
        }
        guard let found else { throw .noIdentityMatches }
        let key = AgeFileKey(secret: found)
        guard constantTimeEqual(key.tag(of: header.covered), header.tag) else { throw .wrongHeaderTag }
        return key
    }

    private static func share(of stanza: AgeStanza) throws(AgeError) -> [UInt8] {
        guard stanza.arguments.count == 1, let share = AgeBase64.decode(Array(stanza.arguments[0].utf8)),
            share.count == Int(crypto_scalarmult_BYTES)
        else { throw .malformed(reason: "an X25519 stanza does not have one share of 32 bytes") }
        // Checked before opening: a body of another length could be opened by two keys (C2SP age).
        guard stanza.body.count == count + AgeChunk.tag else {
            throw .malformed(reason: "an X25519 stanza's body is not 32 bytes")
        }
        return share
    }

    /// Nil when the stanza is another identity's.
    private static func unwrap(
        _ stanza: AgeStanza, share: [UInt8], with identity: AgeIdentity
    ) throws(AgeError) -> Secret? {
        guard let shared = sharedSecret(of: identity.secret, with: share) else {
            throw .malformed(reason: "an X25519 stanza's share is a point of low order")
        }
        let key = wrappingKey(shared, share: share, recipient: identity.recipient)
        var opened = false
        let secret = Secret(count: count) { out in
            opened = stanza.body.withUnsafeBytes {
                AgeChunk.open($0, nonce: zeroNonce, key: key, into: out)
            }
        }
        return opened ? secret : nil
    }

    /// The header's tag: HMAC-SHA-256 of it up to `---`.
    func tag(of covered: [UInt8]) -> [UInt8] {
        let key = HKDF.derive(secret, salt: [], info: Array("header".utf8))
        var tag = [UInt8](repeating: 0, count: 32)
        key.read { key in
            covered.withUnsafeBytes { covered in
                tag.withUnsafeMutableBytes { HKDF.hmac(key: key, [covered], into: $0) }
            }
        }
        return tag
    }

    /// What the chunks are sealed with.
    func payloadKey(nonce: [UInt8]) -> Secret {
        HKDF.derive(secret, salt: nonce, info: Array("payload".utf8))
    }

    /// The wrapping key is used once, so its nonce may be fixed.
    private static let zeroNonce = [UInt8](repeating: 0, count: AgeChunk.nonceBytes)

    private static func wrappingKey(_ shared: Secret, share: [UInt8], recipient: AgeRecipient) -> Secret {
        let info = Array("age-encryption.org/v1/X25519".utf8)
        return HKDF.derive(shared, salt: share + recipient.publicKey, info: info)
    }
}
