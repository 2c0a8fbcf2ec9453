/// One page of an Ogg file (RFC 3533 §6), whole and with the right checksum.
struct OggPage {
    private static let headLength = 27
    private static let flagsOffset = 5
    private static let checksumOffset = 22
    private static let lastPageFlag: UInt8 = 4
    /// A head, 255 segments of 255 bytes.
    static let longest = 27 + 255 + 255 * 255

    let bytes: [UInt8]
    var length: Int { bytes.count }
    /// Samples at 48 kHz up to the last packet that ends here; −1 when none does.
    var granule: Int64 { Int64(bitPattern: Self.number(bytes, 6, 8)) }
    var serial: UInt32 { UInt32(Self.number(bytes, 14, 4)) }
    var sequence: Int { Int(Self.number(bytes, 18, 4)) }
    var body: ArraySlice<UInt8> { bytes[(Self.headLength + Int(bytes[26]))...] }

    /// Nil when there is no whole page with the right checksum at `offset`.
    init?(_ file: borrowing DiskFile, at offset: Int) throws(AudioFileError) {
        let head = try file.bytes(at: offset, count: Self.headLength + 255)
        guard let length = Self.length(head) else { return nil }
        let bytes = try file.bytes(at: offset, count: length)
        guard bytes.count == length,
            Self.checksum(bytes) == UInt32(Self.number(bytes, Self.checksumOffset, 4))
        else { return nil }
        self.bytes = bytes
    }

    /// What a whole page of Opus in memory says of the sound's length, in samples at 48 kHz (RFC 7845 §4).
    enum Extent: Equatable {
        /// Of the first page: so many at the start are not sound.
        case skip(Int)
        /// With those, up to the end of this page.
        case upTo(Int)
    }

    /// Nil for a page that says nothing of it.
    static func extent(_ page: UnsafeRawBufferPointer) -> Extent? {
        guard page.count >= headLength else { return nil }
        let body = Array(page.dropFirst(headLength + Int(page[26])).prefix(12))
        if body.starts(with: Array("OpusHead".utf8)), body.count == 12 {
            return .skip(Int(body[10]) | Int(body[11]) << 8)
        }
        let granule = Int64(littleEndian: page.loadUnaligned(fromByteOffset: 6, as: Int64.self))
        return granule > 0 ? .upTo(Int(granule)) : nil
    }

    /// The same page, marked as the stream's last.
    func markedLast() -> [UInt8] {
        var page = bytes
        page[Self.flagsOffset] |= Self.lastPageFlag
        let sum = Self.checksum(page)
        for i in 0..<4 { page[Self.checksumOffset + i] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(i))) }
        return page
    }

    /// Whether `rest`, a file's end, is the beginning of a page and less than a whole one.
    static func isTorn(_ rest: [UInt8]) -> Bool {
        guard rest.count >= headLength else { return Array("OggS".utf8).starts(with: rest.prefix(4)) }
        guard rest.starts(with: Array("OggS".utf8)) else { return false }
        return length(rest).map { rest.count < $0 } ?? true
    }

    /// Of the page that begins with `head`; nil when that is no page's beginning, or too short to tell.
    private static func length(_ head: [UInt8]) -> Int? {
        guard head.count >= headLength, head.starts(with: Array("OggS".utf8)), head[4] == 0 else {
            return nil
        }
        let segments = Int(head[26])
        guard head.count >= headLength + segments else { return nil }
        return headLength + segments
            + head[headLength..<headLength + segments].reduce(0) { $0 + Int($1) }
    }

    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
    }

    /// CRC-32 with the polynomial 0x04C11DB7, not reflected, over the page with its own checksum as zero.
    static func checksum(_ page: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0
        for (i, byte) in page.enumerated() {
            let byte = (checksumOffset..<checksumOffset + 4).contains(i) ? 0 : byte
            sum = sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ byte)]
        }
        return sum
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { sum, _ in
            sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
        }
    }
}
