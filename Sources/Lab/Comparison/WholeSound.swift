import AudioFiles
import Terminal

/// A recording that is compared as a whole, so in memory.
///
/// Silence in Opus and FLAC takes no room: a small file may hold days of it. Beyond what any recording of a device
/// lasts, decoding stops.
enum WholeSound {
    /// A memo lasts 4 hours at most.
    static let mostSeconds = 6 * 3600

    /// Decodes a file. Throws `AudioFileError`, and `CommandError` for one that lasts too long.
    static func read(_ path: String, mostSeconds: Int = mostSeconds) throws -> PCM {
        let reader = try AudioReader(path: path)
        let most = mostSeconds * reader.rate * reader.channels
        var samples: [Int16] = []
        while true {
            let more = try reader.read()
            if more.isEmpty { break }
            guard samples.count + more.count <= most else {
                throw CommandError.failed(
                    "\(path) lasts longer than \(mostSeconds / 3600) hours, which is more than is compared: cut it."
                )
            }
            samples.append(contentsOf: more)
        }
        return PCM(
            rate: reader.rate, channels: reader.channels, inputRate: reader.inputRate, samples: samples)
    }
}
