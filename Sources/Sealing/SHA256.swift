import CSodium

/// SHA-256 over bytes as they come.
///
/// A value: a copy goes on by itself, so `finish()` on a copy reads the running hash without ending it.
package struct SHA256: Sendable {
    private var state = crypto_hash_sha256_state()

    package init() {
        Sodium.ready
        crypto_hash_sha256_init(&state)
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
        crypto_hash_sha256_update(
            &state, base.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    }

    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// The digest of everything so far; this value may go on.
    package func finish() -> Digest {
        var copy = state
        var bytes = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256_final(&copy, &bytes)
        guard let digest = Digest(bytes: bytes) else { preconditionFailure("a digest has 32 bytes") }
        return digest
    }

    /// The digest of bytes that are all at hand.
    package static func digest(of bytes: [UInt8]) -> Digest {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }
}
