/// A WAV file in memory: PCM of 8, 16, 24 or 32 bit or 32-bit float, as 16-bit samples.
///
/// For long recordings see `WAVReader`; for the format alone, `WAVFile.header`.
package struct WAVFile: Equatable, Sendable {
    /// Frames per second.
    package let rate: Int
    package let channels: Int
    /// As stored in the file; `samples` are 16 bit.
    package let bitsPerSample: Int
    /// Interleaved.
    package let samples: [Int16]

    package init(path: String) throws(AudioFileError) {
        var reader = try WAVReader(path: path)
        rate = reader.header.rate
        channels = reader.header.channels
        bitsPerSample = reader.header.bitsPerSample
        samples = try reader.read(frames: reader.header.frames)
    }

    package var frames: Int { samples.count / channels }
    package var seconds: Double { Double(frames) / Double(rate) }
    /// One channel: the mean of all.
    package var mono: [Int16] { Self.mono(samples, channels: channels) }

    /// Reads no sample, so it costs the same for a file of any length.
    package static func header(_ path: String) throws(AudioFileError) -> WAVHeader {
        try WAVReader(path: path).header
    }

    /// Interleaved samples mixed down to one channel: the mean of each frame, to the nearest.
    package static func mono(_ samples: [Int16], channels: Int) -> [Int16] {
        guard channels > 1 else { return samples }
        return (0..<samples.count / channels).map { frame in
            let first = frame * channels
            let sum = samples[first..<first + channels].reduce(0) { $0 + Int($1) }
            let half = channels / 2
            return Int16((sum + (sum < 0 ? -half : half)) / channels)
        }
    }
}
