/// Encodes a recording as it is made. Used by one thread at a time.
package final class AudioEncoder {
    private enum Codec {
        case opus(OpusEncoder)
        case flac(FLACEncoder)
        case wav(WAVEncoder)
    }

    package let format: AudioFormat
    private let codec: Codec
    private let channels: Int

    /// Writes the file's head to the sink.
    /// - Parameters:
    ///   - rate: frames per second: 16000, 44100 or 48000.
    ///   - channels: 1 or 2.
    ///   - bitrate: bits per second of Opus; the others have none.
    ///   - software: for the file's ENCODER comment, for example `lapel 0.1`.
    /// - Throws: `AudioFileError`, or what the sink throws.
    package init(
        format: AudioFormat, rate: Int, channels: Int, bitrate: Int = 24_000, software: String = "lapel",
        sink: any ByteSink
    ) throws {
        precondition((1...2).contains(channels), "a recording has one or two channels")
        self.format = format
        self.channels = channels
        switch format {
        case .opus:
            codec = .opus(
                try OpusEncoder(
                    rate: rate, channels: channels, bitrate: bitrate, software: software, sink: sink))
        case .flac: codec = .flac(try FLACEncoder(rate: rate, channels: channels, sink: sink))
        case .wav: codec = .wav(try WAVEncoder(rate: rate, channels: channels, sink: sink))
        }
    }

    /// Takes interleaved samples, whole frames. What the sink throws comes out here, and again from every later
    /// call; what it took before stays decodable.
    package func write(_ samples: UnsafeBufferPointer<Int16>) throws {
        precondition(samples.count.isMultiple(of: channels), "only whole frames are encoded")
        if samples.isEmpty { return }
        switch codec {
        case .opus(let encoder): try encoder.write(samples)
        case .flac(let encoder): try encoder.write(samples)
        case .wav(let encoder): try encoder.write(samples)
        }
    }

    /// Whole frames, at the recording's own rate, in what the sink took: fewer than were written while the codec holds
    /// some back, and when the sink threw. After `finish` a file of so many frames.
    package var framesInFile: Int {
        switch codec {
        case .opus(let encoder): encoder.framesInFile
        case .flac(let encoder): encoder.framesInFile
        case .wav(let encoder): encoder.framesInFile
        }
    }

    /// Writes what is left and completes the head. Called once, at the end; without it the file is one that was
    /// cut, which `salvage` mends.
    package func finish() throws {
        switch codec {
        case .opus(let encoder): try encoder.finish()
        case .flac(let encoder): try encoder.finish()
        case .wav(let encoder): try encoder.finish()
        }
    }
}
