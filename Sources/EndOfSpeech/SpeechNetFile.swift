/// The network's weights as the training script writes them, taken apart.
///
/// Little-endian, without padding: "LPN1"; inputs, E, H and lag as 32-bit integers; then as 32-bit floats mean, scale,
/// bias of the dense layer, two biases of the recurrent layer, output weights, output bias; then the three matrices,
/// each as one 32-bit float scale per row and the rows as 8-bit integers.
struct SpeechNetFile: Equatable {
    let inputs: Int
    let embedding: Int
    let hidden: Int
    /// Frames that an answer lags behind what it speaks of.
    let lag: Int
    let mean: [Float]
    let scale: [Float]
    let denseBias: [Float]
    let ixBias: [Float]
    let hhBias: [Float]
    let out: [Float]
    let outBias: Float
    /// Row by row.
    let dense: [Float]
    let ix: [Float]
    let hh: [Float]

    /// Nil when the bytes are no such file.
    init?(_ bytes: [UInt8]) {
        var reader = Reader(bytes)
        guard reader.magic() == Array("LPN1".utf8), let inputs = reader.integer(),
            let embedding = reader.integer(), let hidden = reader.integer(), let lag = reader.integer(),
            inputs == SpeechFeatures.count, (1...64).contains(embedding), (1...64).contains(hidden),
            (0...25).contains(lag),
            let mean = reader.floats(inputs), let scale = reader.floats(inputs),
            let denseBias = reader.floats(embedding), let ixBias = reader.floats(3 * hidden),
            let hhBias = reader.floats(3 * hidden), let out = reader.floats(hidden),
            let outBias = reader.floats(1)?.first,
            let dense = reader.matrix(rows: embedding, columns: inputs),
            let ix = reader.matrix(rows: 3 * hidden, columns: embedding),
            let hh = reader.matrix(rows: 3 * hidden, columns: hidden), reader.isAtEnd
        else { return nil }
        (self.inputs, self.embedding, self.hidden, self.lag) = (inputs, embedding, hidden, lag)
        (self.mean, self.scale, self.denseBias) = (mean, scale, denseBias)
        (self.ixBias, self.hhBias, self.out, self.outBias) = (ixBias, hhBias, out, outBias)
        (self.dense, self.ix, self.hh) = (dense, ix, hh)
    }

    /// Those that this program carries.
    static let shipped: SpeechNetFile = {
        guard let bytes = base64Decoded(SpeechNetWeights.base64), let file = SpeechNetFile(bytes) else {
            preconditionFailure("SpeechNetWeights.swift was not made by the training script")
        }
        return file
    }()

    private struct Reader {
        private let bytes: [UInt8]
        private var at = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { at == bytes.count }

        mutating func magic() -> [UInt8]? { take(4).map(Array.init) }

        mutating func integer() -> Int? { word().map { Int(Int32(bitPattern: $0)) } }

        mutating func floats(_ count: Int) -> [Float]? {
            var values: [Float] = []
            for _ in 0..<count {
                guard let word = word() else { return nil }
                let value = Float(bitPattern: word)
                guard value.isFinite else { return nil }
                values.append(value)
            }
            return values
        }

        mutating func matrix(rows: Int, columns: Int) -> [Float]? {
            guard let scales = floats(rows), let cells = take(rows * columns) else { return nil }
            return cells.enumerated().map { scales[$0 / columns] * Float(Int8(bitPattern: $1)) }
        }

        private mutating func word() -> UInt32? {
            take(4).map { bytes in bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
        }

        private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count <= bytes.count - at else { return nil }
            defer { at += count }
            return bytes[at..<at + count]
        }
    }
}

/// RFC 4648, section 4; nil for anything else.
func base64Decoded(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var (bits, count, padding) = (UInt32(0), 0, 0)
    for character in text.utf8 {
        let value: UInt8
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): value = 62
        case UInt8(ascii: "/"): value = 63
        case UInt8(ascii: "="):
            padding += 1
            continue
        default: return nil
        }
        guard padding == 0 else { return nil }
        bits = bits << 6 | UInt32(value)
        count += 1
        if count % 4 == 0 {
            bytes += [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
            bits = 0
        }
    }
    switch (count % 4, padding) {
    case (0, 0): break
    case (2, 2): bytes.append(UInt8(bits >> 4 & 255))
    case (3, 1): bytes += [UInt8(bits >> 10 & 255), UInt8(bits >> 2 & 255)]
    default: return nil
    }
    return bytes
}
