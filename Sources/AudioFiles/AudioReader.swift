/// Decodes a file of sound block by block. What it is, its first bytes say, not its name.
///
/// A file that was cut decodes to what is there. Used by one thread at a time.
package final class AudioReader {
    private enum Codec {
        case opus(OpusReader)
        case flac(FLACReader)
        case wav(WAVBlocks)
    }

    package let format: AudioFormat
    /// Frames per second of what `read` gives.
    package let rate: Int
    package let channels: Int
    /// Frames per second of what was recorded.
    package let inputRate: Int
    private let codec: Codec

    package init(path: String) throws(AudioFileError) {
        format = try Self.sniff(path)
        switch format {
        case .opus:
            let reader = try OpusReader(path: path)
            (rate, channels, inputRate) = (OpusReader.rate, reader.channels, reader.inputRate)
            codec = .opus(reader)
        case .flac:
            let reader = try FLACReader(path: path)
            (rate, channels, inputRate) = (reader.rate, reader.channels, reader.rate)
            codec = .flac(reader)
        case .wav:
            let reader = try WAVBlocks(path: path)
            (rate, channels, inputRate) = (reader.header.rate, reader.header.channels, reader.header.rate)
            codec = .wav(reader)
        }
    }

    /// The next block, interleaved; empty at the end.
    package func read() throws(AudioFileError) -> [Int16] {
        switch codec {
        case .opus(let reader): try reader.read()
        case .flac(let reader): try reader.read()
        case .wav(let reader): try reader.read()
        }
    }

    private static func sniff(_ path: String) throws(AudioFileError) -> AudioFormat {
        let head = try DiskFile(path, writable: false).bytes(at: 0, count: 4)
        switch String(decoding: head, as: UTF8.self) {
        case "OggS": return .opus
        case "fLaC": return .flac
        case "RIFF", "RF64": return .wav
        default: throw head.isEmpty ? .empty(path: path) : .unknownFormat(path: path)
        }
    }
}

/// A `WAVReader` that gives blocks of its own size.
private final class WAVBlocks {
    private static let frames = 4096
    private var reader: WAVReader

    init(path: String) throws(AudioFileError) { reader = try WAVReader(path: path) }

    var header: WAVHeader { reader.header }

    func read() throws(AudioFileError) -> [Int16] { try reader.read(frames: Self.frames) }
}
