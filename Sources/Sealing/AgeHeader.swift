/// The header of an age v1 file (C2SP age, "Header"), read without opening anything.
package struct AgeHeader: Sendable {
    /// In the order of the file; at least one.
    package let stanzas: [AgeStanza]
    /// The header's length, its last line end counted, the payload's nonce not.
    package let bytes: Int
    /// What the tag covers: the header up to `---`.
    let covered: [UInt8]
    /// HMAC-SHA-256, 32 bytes, not checked yet: that takes a key.
    let tag: [UInt8]

    /// Longer headers are refused: with 64 KiB there is room for hundreds of recipients.
    package static let longest = 65_536
    /// Bytes of the payload's nonce, which follow the header.
    static let nonceBytes = 16
    static let intro = Array("age-encryption.org/v1".utf8)

    /// Where the first chunk begins in the file.
    package var payloadStart: Int { bytes + Self.nonceBytes }

    /// The stanzas of one type.
    package func note(_ type: String) -> [AgeStanza] { stanzas.filter { $0.type == type } }

    /// Reads the header from a file's first bytes; nil when it does not end within them.
    ///
    /// - Throws: `AgeError.notAge`, `.malformed`: as soon as the bytes cannot become a header, whatever follows.
    package static func parse(_ prefix: [UInt8]) throws(AgeError) -> AgeHeader? {
        var reader = AgeHeaderReader()
        for byte in prefix {
            if let header = try reader.take(byte) { return header }
        }
        return nil
    }
}
