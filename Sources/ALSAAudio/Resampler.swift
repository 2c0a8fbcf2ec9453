import CSpeexDSP

/// libspeexdsp's windowed-sinc resampler, quality 5 (SPECIFICATION.md, "Microphone"), for interleaved frames.
///
/// Its delay is taken out: the first frame out belongs to the first frame in, and `latency` frames of silence at
/// the end bring out what is still inside.
final class Resampler {
    private static let quality: Int32 = 5

    private let state: OpaquePointer
    /// Frames of input to be fed after the end.
    let latency: Int

    /// Nil when the library refuses the rates or has no memory.
    init?(channels: Int, from input: Int, to output: Int) {
        var code: Int32 = 0
        guard
            let state = speex_resampler_init(
                UInt32(channels), UInt32(input), UInt32(output), Self.quality, &code)
        else { return nil }
        self.state = state
        latency = Int(speex_resampler_get_input_latency(state))
        speex_resampler_skip_zeros(state)
    }

    deinit { speex_resampler_destroy(state) }

    /// Resamples `count` frames into `output`, which has room for `room`. All of the input is taken when the room
    /// is at least count · output rate / input rate + 1 frames. Returns the frames written.
    func process(
        _ input: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>, room: Int
    ) -> Int {
        var (taken, written) = (UInt32(count), UInt32(room))
        speex_resampler_process_interleaved_float(state, input, &taken, output, &written)
        return Int(written)
    }
}
