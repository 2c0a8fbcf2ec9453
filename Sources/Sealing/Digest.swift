import CSodium

/// A SHA-256 digest (FIPS 180-4): 32 bytes.
package struct Digest: Hashable, Sendable, CustomStringConvertible {
    /// Always 32.
    package let bytes: [UInt8]

    /// Nil when `bytes` is not 32 long.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Int(crypto_hash_sha256_BYTES) else { return nil }
        self.bytes = bytes
    }

    /// Parses 64 hexadecimal digits of either case; nil for anything else.
    package init?(hex: String) {
        guard let bytes = hexBytes(hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// 64 lower-case hexadecimal digits.
    package var hex: String { hexText(bytes) }

    /// Base64 with padding (RFC 4648 §4), 44 characters: the form of `Repr-Digest` (RFC 9530) and of curl's pins.
    package var base64: String {
        Sodium.ready
        let variant = sodium_base64_VARIANT_ORIGINAL
        var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
        _ = sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    package var description: String { hex }
}

/// Lower-case hexadecimal text of `bytes`.
package func hexText(_ bytes: [UInt8]) -> String {
    Sodium.ready
    var text = [CChar](repeating: 0, count: bytes.count * 2 + 1)
    sodium_bin2hex(&text, text.count, bytes, bytes.count)
    return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// The bytes of hexadecimal text of either case; nil for an odd length or any other character.
package func hexBytes(_ text: String) -> [UInt8]? {
    Sodium.ready
    var bytes = [UInt8](repeating: 0, count: text.utf8.count / 2)
    // Without a place for the end, text that is not hexadecimal to its last character is refused.
    let result = sodium_hex2bin(&bytes, bytes.count, text, text.utf8.count, nil, nil, nil)
    return result == 0 ? bytes : nil
}
