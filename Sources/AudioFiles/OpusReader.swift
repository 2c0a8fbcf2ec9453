import COpus

/// Ogg Opus by libopusfile. Pre-skip and the trimmed end are taken off by the library.
final class OpusReader {
    /// Opus decodes to this, whatever was recorded.
    static let rate = 48_000
    /// Rates that a recording can have; a head may say anything.
    static let inputRates = 1...768_000
    /// Samples of the longest packet, 120 ms, times two channels.
    private static let longest = 5_760 * 2

    let channels: Int
    /// As the head says; 48000 when it does not, or tells of no rate that there is.
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
        let written = Int(head.input_sample_rate)
        inputRate = Self.inputRates.contains(written) ? written : Self.rate
        self.path = path
        self.file = file
        // Without dither the same file decodes to the same samples every time.
        op_set_dither_enabled(file, 0)
    }

    deinit { op_free(file) }

    /// The next packet's samples, interleaved; empty at the end. A hole (lost or damaged pages) is passed over; a file
    /// that goes on with another number of channels is refused there.
    func read() throws(AudioFileError) -> [Int16] {
        var code: Int32 = OP_HOLE
        var link: Int32 = 0
        var samples: [Int16] = []
        while code == OP_HOLE {
            samples = [Int16](unsafeUninitializedCapacity: Self.longest) { buffer, filled in
                code = op_read(file, buffer.baseAddress, Int32(buffer.count), &link)
                let isSame = code > 0 && op_channel_count(file, link) == Int32(channels)
                filled = isSame ? Int(code) * channels : 0
            }
        }
        if code > 0, samples.isEmpty {
            throw .undecodable(path: path, what: "its number of channels changes on the way")
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
