/// Base64 by RFC 4648, §4 (padded) and §5 (URL-safe, unpadded).
package enum Base64 {
    private static let standard = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let urlSafe = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Padded, with `+` and `/`.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text = write(bytes, standard)
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Unpadded, with `-` and `_`: fit for a URL.
    package static func encodeURLSafe(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: write(bytes, urlSafe), as: UTF8.self)
    }

    /// Nil for a wrong length, a foreign character, wrong padding, or bits that no encoder sets.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var digits = Array(text.utf8)
        guard digits.count % 4 == 0 else { return nil }
        for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
        return read(digits, UInt8(ascii: "+"), UInt8(ascii: "/"))
    }

    /// The reverse of `encodeURLSafe`; nil for anything else.
    package static func decodeURLSafe(_ text: some StringProtocol) -> [UInt8]? {
        read(Array(text.utf8), UInt8(ascii: "-"), UInt8(ascii: "_"))
    }

    private static func write(_ bytes: some Sequence<UInt8>, _ alphabet: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        var held = 0
        var bits = 0
        for byte in bytes {
            held = (held << 8 | Int(byte)) & 0xFFFF
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[held >> bits & 63])
            }
        }
        if bits > 0 { text.append(alphabet[held << (6 - bits) & 63]) }
        return text
    }

    private static func read(_ digits: [UInt8], _ plus: UInt8, _ slash: UInt8) -> [UInt8]? {
        guard digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 3 / 4)
        var held = 0
        var bits = 0
        for digit in digits {
            let value: Int
            switch digit {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = Int(digit) - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = Int(digit) - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = Int(digit) + 4
            case plus: value = 62
            case slash: value = 63
            default: return nil
            }
            held = (held << 6 | value) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(held >> bits & 0xFF))
            }
        }
        return held & ((1 << bits) - 1) == 0 ? bytes : nil
    }
}

/// Bytes as hexadecimal digits.
package enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Lower case, two digits a byte.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Either case; nil for an odd count or a foreign character.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in text.utf8 {
            guard let value = value(of: digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    /// Whether `text` is exactly `count` lower-case hexadecimal digits: the form that ids and hashes have.
    package static func isLowercase(_ text: some StringProtocol, digits count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 48...57: digit - 48
        case 97...102: digit - 87
        case 65...70: digit - 55
        default: nil
        }
    }
}
