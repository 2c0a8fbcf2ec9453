import CSodium

/// One entry of an age header: `-> type arguments`, then the body in base64.
///
/// Readers pass over types that they do not know, so a stanza can carry a note that the header's tag protects.
package struct AgeStanza: Equatable, Sendable {
    /// Printable ASCII without spaces, at least one character. So is each argument.
    package let type: String
    package let arguments: [String]
    package let body: [UInt8]

    package init(type: String, arguments: [String] = [], body: [UInt8] = []) {
        precondition(
            ([type] + arguments).allSatisfy(Self.isWord),
            "a stanza's words are printable ASCII without spaces")
        self.type = type
        self.arguments = arguments
        self.body = body
    }

    /// The type of the note that names a recipient of the file, `-> lapel-to age1…`: one for each, in every file that
    /// Lapel seals, because a header names its recipients nowhere else.
    package static let recipientNote = "lapel-to"

    /// Characters of a full line of the body (C2SP age, "Recipient stanzas").
    static let columns = 64

    /// VCHAR of RFC 5234, at least one.
    static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// As it stands in the header. The last line is always shorter than 64 characters, and empty if it must be.
    var lines: [UInt8] {
        var text = Array("-> \(([type] + arguments).joined(separator: " "))\n".utf8)
        var rest = AgeBase64.encode(body)[...]
        while rest.count >= Self.columns {
            text += rest.prefix(Self.columns) + [UInt8(ascii: "\n")]
            rest = rest.dropFirst(Self.columns)
        }
        return text + rest + [UInt8(ascii: "\n")]
    }
}

/// Base64 without padding (RFC 4648 §4), as age headers hold it.
enum AgeBase64 {
    private static let variant = sodium_base64_VARIANT_ORIGINAL_NO_PADDING

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        Sodium.ready
        var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
        _ = sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
        return text.dropLast().map { UInt8(bitPattern: $0) }
    }

    /// Nil for any text that `encode` would not give: padding, line ends, other alphabets, bits left over.
    static func decode(_ text: [UInt8]) -> [UInt8]? {
        Sodium.ready
        var bytes = [UInt8](repeating: 0, count: text.count / 4 * 3 + 2)
        var count = 0
        let result = text.withUnsafeBytes { text in
            text.withMemoryRebound(to: CChar.self) { text in
                // Without a place for the end, text that is not base64 to its last character is refused.
                sodium_base642bin(
                    &bytes, bytes.count, text.baseAddress, text.count, nil, &count, nil, variant)
            }
        }
        guard result == 0 else { return nil }
        // Where char is signed, libsodium 1.0.18 takes every byte above 0x7F for some character of the alphabet.
        let decoded = Array(bytes.prefix(count))
        return encode(decoded) == text ? decoded : nil
    }
}
