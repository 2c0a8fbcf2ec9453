import COpus

/// Ogg Opus by libopusenc: 20 ms packets, pages of at most 0.2 s, variable bit rate, complexity 5.
///
/// libopusenc holds two seconds back by default (its "decision delay"), which a power cut would cost; here it
/// holds one packet.
final class OpusEncoder {
    /// Samples at 48 kHz: 0.2 s.
    private static let muxingDelay: Int32 = 9_600

    private let encoder: OpaquePointer
    private let output: EncoderOutput
    private let channels: Int
    private let rate: Int

    init(rate: Int, channels: Int, bitrate: Int, software: String, sink: any ByteSink) throws {
        let output = EncoderOutput(sink)
        guard let comments = ope_comments_create() else { throw Self.error(OPE_ALLOC_FAIL, "begin") }
        defer { ope_comments_destroy(comments) }
        try Self.check(ope_comments_add(comments, "ENCODER", software), "begin")
        var callbacks = OpusEncCallbacks(write: opusWrite, close: opusClose)
        var code: Int32 = 0
        guard
            let encoder = ope_encoder_create_callbacks(
                &callbacks, output.userData, comments, Int32(rate), Int32(channels), 0, &code)
        else { throw Self.error(code, "begin") }
        self.encoder = encoder
        self.output = output
        self.channels = channels
        self.rate = rate
        // From here on `deinit` frees the encoder.
        try Self.check(lapel_ope_set_bitrate(encoder, Int32(bitrate)), "set its bit rate")
        try Self.check(lapel_ope_set_complexity(encoder, 5), "set its complexity")
        try Self.check(lapel_ope_set_muxing_delay(encoder, Self.muxingDelay), "set its page length")
        try Self.check(lapel_ope_set_decision_delay(encoder, 0), "set its delay")
        try finishCall(ope_encoder_flush_header(encoder), "begin")
    }

    var framesInFile: Int { output.frames * rate / 48_000 }

    deinit {
        output.close()
        ope_encoder_destroy(encoder)
    }

    func write(_ samples: UnsafeBufferPointer<Int16>) throws {
        if let failure = output.failure { throw failure }
        try finishCall(
            ope_encoder_write(encoder, samples.baseAddress, Int32(samples.count / channels)), "encode")
    }

    func finish() throws {
        if let failure = output.failure { throw failure }
        try finishCall(ope_encoder_drain(encoder), "finish")
        output.close()
    }

    private func finishCall(_ code: Int32, _ operation: String) throws {
        if let failure = output.failure { throw failure }
        try Self.check(code, operation)
    }

    private static func check(_ code: Int32, _ operation: String) throws {
        if code != OPE_OK { throw error(code, operation) }
    }

    private static func error(_ code: Int32, _ operation: String) -> AudioFileError {
        .encoding(format: .opus, operation: operation, reason: String(cString: ope_strerror(code)))
    }
}

/// libopusenc gives whole pages; 0 is success.
private func opusWrite(_ user: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: Int32)
    -> Int32
{
    EncoderOutput.from(user).writePage(UnsafeRawBufferPointer(start: bytes, count: Int(count))) ? 0 : 1
}

private func opusClose(_ user: UnsafeMutableRawPointer?) -> Int32 { 0 }
