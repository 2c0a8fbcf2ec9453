/// A whole recording in memory.
package struct PCM: Equatable, Sendable {
    /// Frames per second of `samples`. Opus decodes to 48000 whatever was recorded.
    package let rate: Int
    package let channels: Int
    /// Frames per second of what was recorded.
    package let inputRate: Int
    /// Interleaved.
    package let samples: [Int16]

    package init(rate: Int, channels: Int, inputRate: Int, samples: [Int16]) {
        self.rate = rate
        self.channels = channels
        self.inputRate = inputRate
        self.samples = samples
    }

    package var frames: Int { samples.count / channels }
    package var seconds: Double { Double(frames) / Double(rate) }
    /// One channel: the mean of all.
    package var mono: [Int16] { WAVFile.mono(samples, channels: channels) }
}

/// Reading a file of sound, whatever it is.
package enum AudioFile {
    /// Decodes the whole file. For long recordings see `AudioReader`.
    package static func read(_ path: String) throws(AudioFileError) -> PCM {
        let reader = try AudioReader(path: path)
        var samples: [Int16] = []
        while true {
            let more = try reader.read()
            if more.isEmpty { break }
            samples.append(contentsOf: more)
        }
        return PCM(
            rate: reader.rate, channels: reader.channels, inputRate: reader.inputRate, samples: samples)
    }
}
