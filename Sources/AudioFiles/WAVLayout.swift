/// The 44-byte head of the WAV files written here: `RIFF`, `fmt ` of 16 bytes, `data`; nothing else.
enum WAVLayout {
    static let headLength = 44
    private static let riffSizeOffset = 4
    private static let dataSizeOffset = 40

    /// With sizes that say "what is there".
    static func head(rate: Int, channels: Int) -> [UInt8] {
        var head = Array("RIFF".utf8)
        head += bytes(.max) + Array("WAVEfmt ".utf8) + bytes(16)
        head += [1, 0, UInt8(channels), 0] + bytes(UInt32(rate)) + bytes(UInt32(rate * channels * 2))
        head += [UInt8(channels * 2), 0, 16, 0] + Array("data".utf8) + bytes(.max)
        return head
    }

    /// The two sizes of a file of `length` bytes and where they stand; nil when they do not fit.
    static func sizes(length: Int) -> [(offset: Int, bytes: [UInt8])]? {
        guard length >= headLength, length - 8 <= Int(UInt32.max) else { return nil }
        return [
            (riffSizeOffset, bytes(UInt32(length - 8))), (dataSizeOffset, bytes(UInt32(length - headLength))),
        ]
    }

    /// Rate and channels of a head that was written here; nil for any other.
    static func parse(_ head: [UInt8]) -> (rate: Int, channels: Int)? {
        guard head.count >= headLength, (1...2).contains(head[22]) else { return nil }
        let rate = (0..<4).reduce(0) { $0 | Int(head[24 + $1]) << (8 * $1) }
        guard rate > 0, rate <= 768_000 else { return nil }
        let own = self.head(rate: rate, channels: Int(head[22]))
        let sizes = Set(riffSizeOffset..<riffSizeOffset + 4).union(dataSizeOffset..<dataSizeOffset + 4)
        guard own.indices.allSatisfy({ sizes.contains($0) || own[$0] == head[$0] }) else { return nil }
        return (rate, Int(head[22]))
    }

    private static func bytes(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }
}
