/// zlib's format (RFC 1950, 1951), for the vectors that are kept deflated: no program or library is needed for them.
/// The checksum at the end is not looked at; the vectors have better ones.
struct Inflate {
    private let bytes: [UInt8]
    private var bit = 0
    private var out: [UInt8] = []

    /// Nil for what is not in the format.
    static func plain(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 6, bytes[0] & 15 == 8 else { return nil }
        var inflate = Inflate(bytes: Array(bytes.dropFirst(2)))
        return inflate.run() ? inflate.out : nil
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func run() -> Bool {
        while true {
            let last = take(1)
            let isWhole: Bool
            switch take(2) {
            case 0: isWhole = stored()
            case 1: isWhole = block(Self.fixedLengths, Self.fixedDistances)
            case 2: isWhole = dynamic()
            default: isWhole = false
            }
            guard isWhole, bit <= 8 * bytes.count else { return false }
            if last == 1 { return true }
        }
    }

    /// The next bits, the lowest first; zeros after the end.
    private mutating func take(_ count: Int) -> Int {
        var value = 0
        for place in 0..<count {
            if bit < 8 * bytes.count { value |= Int(bytes[bit / 8] >> UInt8(bit % 8) & 1) << place }
            bit += 1
        }
        return value
    }

    private mutating func stored() -> Bool {
        bit = (bit + 7) / 8 * 8
        let count = take(16)
        guard take(16) == count ^ 0xFFFF, bit / 8 + count <= bytes.count else { return false }
        out += bytes[(bit / 8)..<(bit / 8 + count)]
        bit += 8 * count
        return true
    }

    private mutating func dynamic() -> Bool {
        let (lengths, distances, codes) = (take(5) + 257, take(5) + 1, take(4) + 4)
        var sizes = [Int](repeating: 0, count: 19)
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        for place in order.prefix(codes) { sizes[place] = take(3) }
        let table = Code(sizes)
        var all: [Int] = []
        while all.count < lengths + distances {
            guard let symbol = next(table) else { return false }
            switch symbol {
            case 16:
                guard let before = all.last else { return false }
                all += [Int](repeating: before, count: take(2) + 3)
            case 17: all += [Int](repeating: 0, count: take(3) + 3)
            case 18: all += [Int](repeating: 0, count: take(7) + 11)
            default: all.append(symbol)
            }
        }
        return block(Code(Array(all[..<lengths])), Code(Array(all[lengths...])))
    }

    private mutating func block(_ lengths: Code, _ distances: Code) -> Bool {
        while let symbol = next(lengths), symbol < 286 {
            if symbol < 256 { out.append(UInt8(symbol)) }
            if symbol == 256 { return true }
            if symbol < 257 { continue }
            let long = symbol - 257
            let extra = long < 8 || long == 28 ? 0 : long / 4 - 1
            let base = long < 8 ? long + 3 : long == 28 ? 258 : (4 + long % 4) << extra + 3
            var count = base + take(extra)
            guard let far = next(distances), far < 30 else { return false }
            let more = far < 4 ? 0 : far / 2 - 1
            let distance = (far < 4 ? far : (2 + far % 2) << more) + 1 + take(more)
            guard distance <= out.count else { return false }
            let start = out.count - distance
            while count > 0 {
                // What was copied is a source in its turn. An array of its own, or all of `out` would be copied.
                let piece = Array(out[start..<min(out.count, start + count)])
                out += piece
                count -= piece.count
            }
        }
        return false
    }

    private mutating func next(_ code: Code) -> Int? {
        var (value, first, index) = (0, 0, 0)
        for size in 1...15 {
            value |= take(1)
            let count = code.counts[size]
            if value - first < count { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        return nil
    }

    /// A canonical Huffman code: how many symbols there are of each size, and the symbols in the order of their codes.
    private struct Code {
        var counts = [Int](repeating: 0, count: 16)
        var symbols: [Int] = []

        init(_ sizes: [Int]) {
            for size in 1...15 {
                let some = sizes.indices.filter { sizes[$0] == size }
                counts[size] = some.count
                symbols += some
            }
        }
    }

    private static let fixedLengths = Code((0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    private static let fixedDistances = Code([Int](repeating: 5, count: 30))
}
