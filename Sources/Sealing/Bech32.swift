/// Bech32 (BIP 173) as age uses it for keys: without the limit of 90 characters, whole bytes only.
///
/// A text is wholly in the case of its prefix: recipients are lower case, identities upper case.
enum Bech32 {
    private static let lower = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
    private static let upper = Array("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".utf8)
    private static let separator = UInt8(ascii: "1")

    static func encode(_ bytes: [UInt8], prefix: String) -> String {
        let symbols = regroup(bytes, from: 8, to: 5, padded: true) ?? []
        var checked = expanded(prefix) + symbols
        checked += [UInt8](repeating: 0, count: 6)
        let sum = polymod(checked) ^ 1
        let tail = (0..<6).map { UInt8(truncatingIfNeeded: sum >> UInt32(5 * (5 - $0))) & 31 }
        let alphabet = alphabet(of: prefix)
        let text = Array(prefix.utf8) + [separator] + (symbols + tail).map { alphabet[Int($0)] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil for another prefix, another case, a wrong checksum or bits that are not whole bytes.
    static func decode(_ text: String, prefix: String) -> [UInt8]? {
        let start = Array(prefix.utf8) + [separator]
        let text = Array(text.utf8)
        guard text.starts(with: start), text.count >= start.count + 6 else { return nil }
        let alphabet = alphabet(of: prefix)
        var symbols: [UInt8] = []
        for character in text[start.count...] {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            symbols.append(UInt8(value))
        }
        guard polymod(expanded(prefix) + symbols) == 1 else { return nil }
        return regroup(symbols.dropLast(6), from: 5, to: 8, padded: false)
    }

    private static func alphabet(of prefix: String) -> [UInt8] {
        prefix.utf8.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ? upper : lower
    }

    /// The prefix as the checksum covers it, in lower case: high bits, a zero, low bits.
    private static func expanded(_ prefix: String) -> [UInt8] {
        let prefix = prefix.lowercased().utf8
        return prefix.map { $0 >> 5 } + [0] + prefix.map { $0 & 31 }
    }

    /// The BCH code of BIP 173.
    private static func polymod(_ values: [UInt8]) -> UInt32 {
        let generator: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
        var sum: UInt32 = 1
        for value in values {
            let top = sum >> 25
            sum = (sum & 0x1ff_ffff) << 5 ^ UInt32(value)
            for bit in 0..<5 where top >> UInt32(bit) & 1 == 1 { sum ^= generator[bit] }
        }
        return sum
    }

    /// The same bits in groups of another width. Without padding, the bits left over must be zero and too few
    /// for a group of the old width, or the text is not the only one of its bytes.
    private static func regroup(
        _ values: some Sequence<UInt8>, from: UInt32, to: UInt32, padded: Bool
    ) -> [UInt8]? {
        var bits: UInt32 = 0
        var count: UInt32 = 0
        var groups: [UInt8] = []
        for value in values {
            bits = (bits << from | UInt32(value)) & 0xFFFF
            count += from
            while count >= to {
                count -= to
                groups.append(UInt8(truncatingIfNeeded: bits >> count & (1 << to - 1)))
            }
        }
        let rest = bits & (1 << count - 1)
        if padded {
            if count > 0 { groups.append(UInt8(truncatingIfNeeded: rest << (to - count))) }
        } else if count >= from || rest != 0 {
            return nil
        }
        return groups
    }
}
