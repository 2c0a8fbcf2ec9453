import AudioFiles
import Glibc

extension FuzzTarget {
    static let wav = audio(.wav, longest: 4_096) { input in input }

    /// The first byte says which damage is mended before the file is read: otherwise hardly an input would get past
    /// the pages' checksums.
    static let opus = audio(.opus, longest: 12_288) { input in
        guard let choice = input.first else { return [] }
        let file = Array(input.dropFirst())
        return choice & 1 == 1 ? withChecksums(file) : file
    }

    static let flac = audio(.flac, longest: 8_192) { input in input }

    /// Any file is read to its end or refused. Salvage mends a file that can be read then, and nothing more the second
    /// time, or leaves it as it was.
    private static func audio(
        _ format: AudioFormat, longest: Int, file: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> FuzzTarget {
        FuzzTarget(name: format.rawValue, longest: longest) {
            try recordings(format).map { format == .opus ? [1] + $0 : $0 }
        } check: { input, folder in
            let bytes = file(input)
            let path = folder + "/sound"
            put(bytes, at: path)
            if let once = try? AudioFile.frames(of: path) {
                let twice = try AudioFile.frames(of: path)
                try must(once == twice, "a file always sounds the same")
            }
            let salvaged: Salvaged
            do { salvaged = try salvage(path: path, format: format) } catch {
                return try must(content(of: path) == bytes, "what cannot be salvaged is left as it was")
            }
            let mended = content(of: path)
            try must(mended.count == salvaged.bytes, "salvage says how long the file is")
            let again = try? salvage(path: path, format: format)
            try must(again == salvaged, "salvaging twice finds the same")
            try must(content(of: path) == mended, "salvaging twice changes nothing more")
            guard salvaged.frames > 0 else { return }
            // The head and the page that ends are mended; what is before stays.
            let kept = zip(mended, bytes).dropFirst(128).dropLast(66_000)
            try must(kept.allSatisfy { $0 == $1 }, "salvage changes no sound")
            let frames: Int
            do { frames = try AudioFile.frames(of: path).count } catch {
                // A packet of Opus that no decoder takes may stand in a page that is whole.
                return try must(format == .opus, "what was salvaged can be read: \(error)")
            }
            try must(
                format == .opus || frames == salvaged.frames,
                "salvage counts \(salvaged.frames) frames and \(frames) are read")
        }
    }

    /// Recordings as they are made, finished and cut off.
    private static func recordings(_ format: AudioFormat) throws -> [[UInt8]] {
        var files: [[UInt8]] = []
        for (rate, channels) in [(16_000, 1), (48_000, 2)] {
            let samples = (0..<rate / 4 * channels).map {
                Int16(truncatingIfNeeded: $0 &* 7_919 % 2_001 - 1_000)
            }
            let sink = ByteList()
            let encoder = try AudioEncoder(
                format: format, rate: rate, channels: channels, bitrate: 16_000, sink: sink)
            try samples[..<(rate / 25 * channels)].withUnsafeBufferPointer { try encoder.write($0) }
            files.append(sink.bytes)
            try encoder.finish()
            files.append(sink.bytes)
        }
        return files
    }

    /// The same bytes with the right checksum in each Ogg page.
    private static func withChecksums(_ file: [UInt8]) -> [UInt8] {
        var file = file
        var at = 0
        while at + 27 <= file.count, at + 27 + Int(file[at + 26]) <= file.count {
            let segments = file[(at + 27)..<(at + 27 + Int(file[at + 26]))]
            let end = at + 27 + segments.count + segments.reduce(0) { $0 + Int($1) }
            guard end <= file.count else { return file }
            for i in 22..<26 { file[at + i] = 0 }
            var sum: UInt32 = 0
            for byte in file[at..<end] {
                sum ^= UInt32(byte) << 24
                for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
            }
            for i in 0..<4 { file[at + 22 + i] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * i)) }
            at = end
        }
        return file
    }
}

extension AudioFile {
    /// Read to the end, block by block: how many frames, and a sum over all samples.
    fileprivate static func frames(of path: String) throws -> (count: Int, sum: UInt64) {
        let reader = try AudioReader(path: path)
        var (count, sum) = (0, UInt64(0))
        while true {
            let block = try reader.read()
            if block.isEmpty { return (count, sum) }
            count += block.count / reader.channels
            for sample in block { sum = (sum ^ UInt64(UInt16(bitPattern: sample))) &* 0x100_0000_01B3 }
        }
    }
}

private final class ByteList: ByteSink {
    var bytes: [UInt8] = []
    func append(_ more: UnsafeRawBufferPointer) { bytes += more }
    func overwrite(_ patch: UnsafeRawBufferPointer, at offset: Int) {
        bytes.replaceSubrange(offset..<(offset + patch.count), with: patch)
    }
}

/// Makes or replaces a small file; nothing is synced.
func put(_ bytes: [UInt8], at path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    precondition(
        file >= 0 && write(file, bytes, bytes.count) == bytes.count, "the folder for inputs takes a file")
    close(file)
}

/// All bytes of a small file.
func content(of path: String) -> [UInt8] { content(of: Array(path.utf8CString)) }

/// The same by a path as the system spells it, with its end.
func content(of path: [CChar]) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(file, &piece, piece.count)
        if count <= 0 { return bytes }
        bytes += piece[..<count]
    }
}
