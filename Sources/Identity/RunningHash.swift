import CGnuTLS

/// A hash of bytes as they come, by GnuTLS: it has SHA-1, which tus asks for and libsodium does not know.
///
/// SHA-1 is fit for finding a damaged transfer and for nothing else.
package struct RunningHash: ~Copyable {
    /// What can be computed.
    package enum Algorithm: Sendable {
        case sha1
        case sha256
    }

    private let handle: gnutls_hash_hd_t
    private let size: Int

    /// Throws `.failed` where the library refuses the algorithm, as it may by a policy of the machine.
    package init(_ algorithm: Algorithm) throws(IdentityError) {
        let number =
            switch algorithm {
            case .sha1: GNUTLS_DIG_SHA1
            case .sha256: GNUTLS_DIG_SHA256
            }
        var handle: gnutls_hash_hd_t?
        try gnutls("hash", gnutls_hash_init(&handle, number))
        guard let handle else { throw .failed(operation: "hash", reason: "no memory") }
        self.handle = handle
        size = Int(gnutls_hash_get_len(number))
    }

    deinit { gnutls_hash_deinit(handle, nil) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
        gnutls_hash(handle, base, bytes.count)
    }

    /// The digest of everything since the last call.
    package mutating func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: size)
        gnutls_hash_output(handle, &digest)
        return digest
    }
}
