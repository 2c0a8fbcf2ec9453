/// Layout: Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0 (1991);
/// WAVE_FORMAT_EXTENSIBLE: Microsoft, Multiple Channel Audio Data and WAVE Files (2001); RF64: EBU Tech 3306.
extension WAVHeader {
    /// A file that is only chunks must not keep a reader busy.
    private static let mostChunks = 4096
    /// The last 14 bytes of every sub-format that is an ordinary format code.
    private static let subformatTail: [UInt8] = [
        0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71,
    ]

    /// Reads the head of a file, whatever comes before its samples.
    ///
    /// A `data` size of 0xFFFFFFFF or beyond the file's end means: what is there. So does 0, unless the outer
    /// size agrees with the file's length; then the file was finished and is empty.
    ///
    /// - Parameters:
    ///   - path: only for the error's sentence.
    ///   - length: of the file, in bytes.
    ///   - bytes: gives up to so many bytes from an offset; fewer only at the file's end.
    init(
        path: String, length: Int, bytes: (_ offset: Int, _ count: Int) throws(AudioFileError) -> [UInt8]
    ) throws(AudioFileError) {
        let outer = try bytes(0, 12)
        guard !outer.isEmpty else { throw .empty(path: path) }
        guard ["RIFF", "RF64"].contains(Self.name(outer, 0)) else {
            throw .notWAV(path: path, found: Self.otherFormat(outer))
        }
        guard outer.count == 12 else { throw .truncatedHeader(path: path) }
        guard Self.name(outer, 8) == "WAVE" else { throw .notWAV(path: path, found: nil) }
        let closed = Self.number(outer, 4, 4) + 8 == length

        var format: Format?
        var offset = 12
        for _ in 0..<Self.mostChunks {
            let head = try bytes(offset, 8)
            guard head.count == 8 else {
                if format != nil, closed { throw .noSamples(path: path) }
                throw .truncatedHeader(path: path)
            }
            offset += 8
            let size = Self.number(head, 4, 4)
            switch Self.name(head, 0) {
            case "fmt ":
                let body = try bytes(offset, min(size, 40))
                guard body.count == min(size, 40) else { throw .truncatedHeader(path: path) }
                format = try Format(path: path, body: body)
            case "data":
                guard let format else {
                    throw .damagedHeader(path: path, what: "its samples come before their format")
                }
                let there = length - offset
                let size = size == 0 && !closed ? there : min(size, there)
                let frames = size / format.bytesPerFrame
                guard frames > 0 else { throw .noSamples(path: path) }
                self.init(
                    encoding: format.encoding, rate: format.rate, channels: format.channels,
                    bitsPerSample: format.bitsPerSample, dataOffset: offset, frames: frames)
                return
            default:
                break
            }
            offset += size + size % 2
        }
        throw .damagedHeader(path: path, what: "no samples among its first \(Self.mostChunks) chunks")
    }

    /// The `fmt ` chunk.
    private struct Format {
        var encoding: Encoding
        var rate: Int
        var channels: Int
        var bitsPerSample: Int
        var bytesPerFrame: Int { channels * bitsPerSample / 8 }

        init(path: String, body: [UInt8]) throws(AudioFileError) {
            guard body.count >= 16 else {
                throw .damagedHeader(
                    path: path, what: "its format takes \(body.count) bytes, which are too few")
            }
            var code = number(body, 0, 2)
            channels = number(body, 2, 2)
            rate = number(body, 4, 4)
            bitsPerSample = number(body, 14, 2)
            if code == 0xFFFE {
                guard body.count == 40 else {
                    throw .damagedHeader(
                        path: path, what: "its extended format takes only \(body.count) bytes")
                }
                guard Array(body[26..<40]) == subformatTail else {
                    throw .unsupportedEncoding(path: path, encoding: "a vendor's own encoding")
                }
                code = number(body, 24, 2)
            }
            guard channels > 0 else { throw .damagedHeader(path: path, what: "it names no channel") }
            guard (100...768_000).contains(rate) else {
                throw .damagedHeader(path: path, what: "\(rate) frames per second are no sound")
            }
            switch (code, bitsPerSample) {
            case (1, 8), (1, 16), (1, 24), (1, 32): encoding = .integer
            case (3, 32): encoding = .float
            default:
                throw .unsupportedEncoding(path: path, encoding: encodingName(code, bits: bitsPerSample))
            }
            let bytes = number(body, 12, 2)
            guard bytes == bytesPerFrame else {
                throw .damagedHeader(
                    path: path,
                    what: "a frame of \(channels) × \(bitsPerSample) bit cannot take \(bytes) bytes")
            }
        }
    }

    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
        bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func name(_ bytes: [UInt8], _ offset: Int) -> String {
        String(decoding: bytes.dropFirst(offset).prefix(4), as: UTF8.self)
    }

    private static func encodingName(_ code: Int, bits: Int) -> String {
        switch code {
        case 1: "\(bits)-bit PCM"
        case 2, 0x11: "ADPCM"
        case 3: "\(bits)-bit float"
        case 6: "A-law"
        case 7: "µ-law"
        case 0x31: "GSM 06.10"
        case 0x55: "MP3"
        default: "the encoding with number \(code)"
        }
    }

    private static func otherFormat(_ head: [UInt8]) -> String? {
        if head.starts(with: [0x1F, 0x8B]) { return "a gzip archive" }
        if head.count >= 8, name(head, 4) == "ftyp" { return "an MP4 file" }
        switch name(head, 0) {
        case "fLaC": return "a FLAC file"
        case "OggS": return "an Ogg file"
        case "FORM": return "an AIFF file"
        case "RIFX": return "a big-endian WAV file"
        case ".snd": return "an AU file"
        case let tag where tag.hasPrefix("ID3"): return "an MP3 file"
        default: return nil
        }
    }
}
