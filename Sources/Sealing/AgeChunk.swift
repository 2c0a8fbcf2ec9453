import CSodium

/// One chunk of an age payload: ChaCha20-Poly1305 (RFC 8439) in the STREAM construction (C2SP age, "Payload").
enum AgeChunk {
    /// Plain bytes of a full chunk.
    package static let plain = 65_536
    /// Bytes that sealing adds to a chunk.
    package static let tag = Int(crypto_aead_chacha20poly1305_ietf_ABYTES)
    static let sealed = plain + tag
    static let nonceBytes = Int(crypto_aead_chacha20poly1305_ietf_NPUBBYTES)

    /// Seals all of `plain` into the first `plain.count + 16` bytes of `out`.
    static func seal(
        _ plain: UnsafeRawBufferPointer, nonce: [UInt8], key: Secret,
        into out: UnsafeMutableRawBufferPointer
    ) {
        precondition(nonce.count == nonceBytes && out.count >= plain.count + tag, "the chunk has no room")
        let result = key.read {
            crypto_aead_chacha20poly1305_ietf_encrypt(
                out.octets, nil, plain.octets, UInt64(plain.count), nil, 0, nil, nonce, $0.octets)
        }
        precondition(result == 0, "sealing cannot fail")
    }

    /// Opens all of `sealed` into the first `sealed.count - 16` bytes of `out`; false, and nothing there, when the
    /// tag does not fit.
    static func open(
        _ sealed: UnsafeRawBufferPointer, nonce: [UInt8], key: Secret,
        into out: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard sealed.count >= tag else { return false }
        precondition(nonce.count == nonceBytes && out.count >= sealed.count - tag, "the chunk has no room")
        let result = key.read {
            crypto_aead_chacha20poly1305_ietf_decrypt(
                out.octets, nil, nil, sealed.octets, UInt64(sealed.count), nil, 0, nonce, $0.octets)
        }
        return result == 0
    }

    /// 11 bytes of counter, the highest first, then 1 for the last chunk.
    static func writeNonce(chunk: UInt64, last: Bool, into nonce: inout [UInt8]) {
        for place in 0..<8 { nonce[10 - place] = UInt8(truncatingIfNeeded: chunk >> UInt64(8 * place)) }
        nonce[11] = last ? 1 : 0
    }
}
