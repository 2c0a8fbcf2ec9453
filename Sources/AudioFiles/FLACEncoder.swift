import CFLAC

/// FLAC (RFC 9639) by libFLAC, level 5, 16 bit. The head's sample count and hash are patched at the end; with a sink
/// that is not patchable both stay 0, "unknown" (RFC 9639 §8.2).
final class FLACEncoder {
    private static let level: UInt32 = 5
    /// Frames converted at a time.
    private static let piece = 1024

    private let encoder: UnsafeMutablePointer<FLAC__StreamEncoder>
    private let output: EncoderOutput
    private let channels: Int
    private var wide: [Int32] = []

    init(rate: Int, channels: Int, sink: any ByteSink) throws {
        guard let encoder = FLAC__stream_encoder_new() else {
            throw AudioFileError.encoding(format: .flac, operation: "begin", reason: "no memory")
        }
        self.encoder = encoder
        self.channels = channels
        output = EncoderOutput(sink)
        wide.reserveCapacity(Self.piece * channels)
        FLAC__stream_encoder_set_channels(encoder, UInt32(channels))
        FLAC__stream_encoder_set_bits_per_sample(encoder, 16)
        FLAC__stream_encoder_set_sample_rate(encoder, UInt32(rate))
        FLAC__stream_encoder_set_compression_level(encoder, Self.level)
        let seekable = output.patchable
        let status = FLAC__stream_encoder_init_stream(
            encoder, flacWrite, seekable ? flacSeek : nil, seekable ? flacTell : nil, nil, output.userData)
        if let failure = output.failure { throw failure }
        guard status == FLAC__STREAM_ENCODER_INIT_STATUS_OK else {
            throw AudioFileError.encoding(
                format: .flac, operation: "begin", reason: "libFLAC's status is \(status.rawValue)")
        }
    }

    var framesInFile: Int { output.frames }

    deinit {
        // Deleting finishes an unfinished encoder, which writes: not to a sink that may be gone.
        output.close()
        FLAC__stream_encoder_delete(encoder)
    }

    func write(_ samples: UnsafeBufferPointer<Int16>) throws {
        if let failure = output.failure { throw failure }
        var rest = samples[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Self.piece * channels)
            rest = rest.dropFirst(piece.count)
            wide.removeAll(keepingCapacity: true)
            wide.append(contentsOf: piece.lazy.map(Int32.init))
            let done = FLAC__stream_encoder_process_interleaved(
                encoder, wide, UInt32(piece.count / channels))
            try check(done, "encode")
        }
    }

    func finish() throws {
        if let failure = output.failure { throw failure }
        try check(FLAC__stream_encoder_finish(encoder), "finish")
        output.close()
    }

    private func check(_ done: FLAC__bool, _ operation: String) throws {
        if done != 0 { return }
        if let failure = output.failure { throw failure }
        let state = FLAC__stream_encoder_get_state(encoder)
        throw AudioFileError.encoding(
            format: .flac, operation: operation, reason: "libFLAC's state is \(state.rawValue)")
    }
}

private func flacWrite(
    _ encoder: UnsafePointer<FLAC__StreamEncoder>?, _ bytes: UnsafePointer<FLAC__byte>?, _ count: Int,
    _ samples: UInt32, _ frame: UInt32, _ user: UnsafeMutableRawPointer?
) -> FLAC__StreamEncoderWriteStatus {
    // `samples` is 0 for what is no audio frame: the head, and its patches.
    EncoderOutput.from(user).write(UnsafeRawBufferPointer(start: bytes, count: count), frames: Int(samples))
        ? FLAC__STREAM_ENCODER_WRITE_STATUS_OK : FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR
}

private func flacSeek(
    _ encoder: UnsafePointer<FLAC__StreamEncoder>?, _ offset: FLAC__uint64, _ user: UnsafeMutableRawPointer?
) -> FLAC__StreamEncoderSeekStatus {
    let output = EncoderOutput.from(user)
    guard offset <= output.length else { return FLAC__STREAM_ENCODER_SEEK_STATUS_ERROR }
    output.position = Int(offset)
    return FLAC__STREAM_ENCODER_SEEK_STATUS_OK
}

private func flacTell(
    _ encoder: UnsafePointer<FLAC__StreamEncoder>?, _ offset: UnsafeMutablePointer<FLAC__uint64>?,
    _ user: UnsafeMutableRawPointer?
) -> FLAC__StreamEncoderTellStatus {
    offset?.pointee = FLAC__uint64(EncoderOutput.from(user).position)
    return FLAC__STREAM_ENCODER_TELL_STATUS_OK
}
