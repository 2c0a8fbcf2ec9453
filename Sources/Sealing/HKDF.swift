import CSodium

/// HKDF with SHA-256 (RFC 5869). libsodium has it from 1.0.19 on only; Debian 12 and 13 bring 1.0.18.
enum HKDF {
    /// `count` bytes derived from a secret: extract, then expand.
    ///
    /// - Parameter count: 1…8160 (255 blocks, RFC 5869 §2.3).
    static func derive(_ secret: Secret, salt: [UInt8], info: [UInt8], count: Int = 32) -> Secret {
        let block = Int(crypto_auth_hmacsha256_BYTES)
        precondition((1...255 * block).contains(count), "HKDF gives 1 to 8160 bytes")
        let extracted = salt.withUnsafeBytes { salt in
            secret.read { ikm in Secret(count: block) { hmac(key: salt, [ikm], into: $0) } }
        }
        return Secret(count: count) { out in
            let turn = Wiped(count: block)
            var done = 0
            var number: UInt8 = 1
            while done < count {
                extracted.read { key in
                    info.withUnsafeBytes { info in
                        withUnsafeBytes(of: number) { number in
                            let before = UnsafeRawBufferPointer(
                                rebasing: turn.bytes[..<(done == 0 ? 0 : block)])
                            hmac(key: key, [before, info, number], into: turn.bytes)
                        }
                    }
                }
                let length = min(block, count - done)
                out[done..<(done + length)].copyBytes(from: turn.bytes[..<length])
                done += length
                number &+= 1
            }
        }
    }

    /// HMAC-SHA-256 (RFC 2104) of the pieces one after another; `out` is 32 bytes and may be one of the pieces.
    static func hmac(
        key: UnsafeRawBufferPointer, _ pieces: [UnsafeRawBufferPointer],
        into out: UnsafeMutableRawBufferPointer
    ) {
        precondition(out.count == Int(crypto_auth_hmacsha256_BYTES), "HMAC-SHA-256 has 32 bytes")
        Sodium.ready
        var state = crypto_auth_hmacsha256_state()
        crypto_auth_hmacsha256_init(&state, key.octets, key.count)
        for piece in pieces where !piece.isEmpty {
            crypto_auth_hmacsha256_update(&state, piece.octets, UInt64(piece.count))
        }
        crypto_auth_hmacsha256_final(&state, out.octets)
        sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha256_state>.size)
    }
}
