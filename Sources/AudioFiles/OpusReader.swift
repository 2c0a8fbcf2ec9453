import COpus

/// Ogg Opus by libopusfile. Pre-skip and the trimmed end are taken off by the library.
final class OpusReader {
    /// Opus decodes to this, whatever was recorded.
    static let rate = 48_000
    /// Samples of the longest packet, 120 ms, times two channels.
    private static let longest = 5_760 * 2

    let channels: Int
    /// As the head says; 48000 when it does not.
    let inputRate: Int
    private let path: String
    private let file: OpaquePointer

    init(path: String) throws(AudioFileError) {
        var code: Int32 = 0
        guard let file = lapel_op_open(path, &code) else {
            throw .undecodable(path: path, what: Self.reason(code))
        }
        let head = op_head(file, -1).pointee
        guard (1...2).contains(head.channel_count) else {
            op_free(file)
            throw .unsupportedEncoding(path: path, encoding: "Opus of \(head.channel_count) channels")
        }
        channels = Int(head.channel_count)
        inputRate = head.input_sample_rate == 0 ? Self.rate : Int(head.input_sample_rate)
        self.path = path
        self.file = file
        // Without dither the same file decodes to the same samples every time.
        op_set_dither_enabled(file, 0)
    }

    deinit { op_free(file) }

    /// The next packet's samples, interleaved; empty at the end. A hole (lost or damaged pages) is passed over.
    func read() throws(AudioFileError) -> [Int16] {
        var code: Int32 = OP_HOLE
        var samples: [Int16] = []
        while code == OP_HOLE {
            samples = [Int16](unsafeUninitializedCapacity: Self.longest) { buffer, filled in
                code = op_read(file, buffer.baseAddress, Int32(buffer.count), nil)
                filled = max(0, Int(code)) * channels
            }
        }
        if code < 0 { throw .undecodable(path: path, what: Self.reason(code)) }
        return samples
    }

    private static func reason(_ code: Int32) -> String {
        switch code {
        case OP_EREAD: "reading it failed"
        case OP_ENOTFORMAT: "it holds no Opus sound"
        case OP_EBADHEADER: "its head is damaged"
        case OP_EVERSION: "its version of Ogg Opus is unknown"
        case OP_EBADPACKET: "a packet of sound is damaged"
        case OP_EBADLINK, OP_EBADTIMESTAMP: "its pages contradict each other"
        default: "libopusfile's code is \(code)"
        }
    }
}
