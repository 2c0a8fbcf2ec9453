/// What the head of a WAV file says of its samples.
package struct WAVHeader: Equatable, Sendable {
    package enum Encoding: Equatable, Sendable {
        /// Whole numbers; 8 bit without sign, wider ones with.
        case integer
        /// IEEE 754, full scale at ±1.
        case float
    }

    package let encoding: Encoding
    /// Frames per second.
    package let rate: Int
    package let channels: Int
    /// Of one sample as stored: 8, 16, 24 or 32.
    package let bitsPerSample: Int
    /// Where in the file the first sample begins.
    package let dataOffset: Int
    /// Whole frames that are there, whatever the header claims.
    package let frames: Int

    package init(
        encoding: Encoding, rate: Int, channels: Int, bitsPerSample: Int, dataOffset: Int, frames: Int
    ) {
        self.encoding = encoding
        self.rate = rate
        self.channels = channels
        self.bitsPerSample = bitsPerSample
        self.dataOffset = dataOffset
        self.frames = frames
    }

    package var bytesPerFrame: Int { channels * bitsPerSample / 8 }
    package var seconds: Double { Double(frames) / Double(rate) }
}
