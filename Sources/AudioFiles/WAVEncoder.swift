/// 16-bit PCM in a WAV file whose sizes stay 0xFFFFFFFF until `finish`, and for good when the sink is not patchable:
/// common tools then read what is there, while a size of 0 reads as empty.
final class WAVEncoder {
    private let output: EncoderOutput
    private let channels: Int

    init(rate: Int, channels: Int, sink: any ByteSink) throws {
        output = EncoderOutput(sink)
        self.channels = channels
        try write(bytes: WAVLayout.head(rate: rate, channels: channels))
    }

    func write(_ samples: UnsafeBufferPointer<Int16>) throws {
        if let failure = output.failure { throw failure }
        #if _endian(little)
            _ = output.write(UnsafeRawBufferPointer(samples))
        #else
            _ = samples.map(\.littleEndian).withUnsafeBytes { output.write($0) }
        #endif
        if let failure = output.failure { throw failure }
    }

    /// Patches the sizes to what the sink took; a file of 4 GiB and more keeps 0xFFFFFFFF.
    /// Works after the sink threw, too: then the file is complete up to there.
    func finish() throws {
        guard output.patchable, let sizes = WAVLayout.sizes(length: output.length) else { return }
        for (offset, size) in sizes {
            try size.withUnsafeBytes { try output.patch($0, at: offset) }
        }
    }

    var framesInFile: Int { max(0, output.length - WAVLayout.headLength) / (2 * channels) }

    private func write(bytes: [UInt8]) throws {
        _ = bytes.withUnsafeBytes { output.write($0) }
        if let failure = output.failure { throw failure }
    }
}
