import CFLAC

/// FLAC by libFLAC, any bit depth as 16 bit. Reading ends at the first frame that is torn or damaged.
final class FLACReader {
    private(set) var rate = 0
    private(set) var channels = 0
    /// Where the last whole frame ends that was read, in bytes from the file's start; before the first, where the
    /// metadata ends.
    private(set) var end = 0
    private let path: String
    private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
    private var bits = 0
    /// Of the frame that was read last.
    private var samples: [Int16] = []
    private var damaged = false

    init(path: String) throws(AudioFileError) {
        guard let decoder = FLAC__stream_decoder_new() else {
            throw .undecodable(path: path, what: "no memory for its decoder")
        }
        self.path = path
        self.decoder = decoder
        let status = FLAC__stream_decoder_init_file(
            decoder, path, flacFrame, flacMetadata, flacError, Unmanaged.passUnretained(self).toOpaque())
        guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else {
            throw .unreadable(path: path, reason: "libFLAC could not open it")
        }
        let done = FLAC__stream_decoder_process_until_end_of_metadata(decoder)
        guard done != 0, !damaged, rate > 0 else {
            throw .undecodable(path: path, what: "its head is torn or damaged")
        }
        guard (1...2).contains(channels) else {
            throw .unsupportedEncoding(path: path, encoding: "FLAC of \(channels) channels")
        }
        end = position()
    }

    deinit { FLAC__stream_decoder_delete(decoder) }

    /// The next frame's samples, interleaved; empty at the end.
    func read() throws(AudioFileError) -> [Int16] {
        samples = []
        while samples.isEmpty, !damaged {
            let done = FLAC__stream_decoder_process_single(decoder)
            let state = FLAC__stream_decoder_get_state(decoder)
            if done == 0 || state == FLAC__STREAM_DECODER_END_OF_STREAM { break }
        }
        // libFLAC gives silence for a damaged frame; that is not what was recorded.
        if damaged { return [] }
        if !samples.isEmpty { end = position() }
        return samples
    }

    private func position() -> Int {
        var position: FLAC__uint64 = 0
        return FLAC__stream_decoder_get_decode_position(decoder, &position) != 0 ? Int(position) : end
    }

    fileprivate func take(_ info: FLAC__StreamMetadata_StreamInfo) {
        rate = Int(info.sample_rate)
        channels = Int(info.channels)
        bits = Int(info.bits_per_sample)
    }

    fileprivate func take(
        _ frame: FLAC__Frame, _ planes: UnsafePointer<UnsafePointer<FLAC__int32>?>
    ) {
        guard Int(frame.header.channels) == channels else {
            damaged = true
            return
        }
        let frames = Int(frame.header.blocksize)
        let shift = Int32(bits - 16)
        samples = [Int16](unsafeUninitializedCapacity: frames * channels) { buffer, filled in
            for channel in 0..<channels {
                guard let plane = planes[channel] else { continue }
                for i in 0..<frames {
                    let value = shift >= 0 ? plane[i] >> shift : plane[i] << -shift
                    buffer[i * channels + channel] = Int16(truncatingIfNeeded: value)
                }
            }
            filled = frames * channels
        }
    }

    fileprivate func fail() { damaged = true }
}

private func reader(_ user: UnsafeMutableRawPointer?) -> FLACReader {
    guard let user else { preconditionFailure("libFLAC gives back the user data it was given") }
    return Unmanaged<FLACReader>.fromOpaque(user).takeUnretainedValue()
}

private func flacFrame(
    _ decoder: UnsafePointer<FLAC__StreamDecoder>?, _ frame: UnsafePointer<FLAC__Frame>?,
    _ planes: UnsafePointer<UnsafePointer<FLAC__int32>?>?, _ user: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderWriteStatus {
    if let frame, let planes { reader(user).take(frame.pointee, planes) }
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
}

private func flacMetadata(
    _ decoder: UnsafePointer<FLAC__StreamDecoder>?, _ metadata: UnsafePointer<FLAC__StreamMetadata>?,
    _ user: UnsafeMutableRawPointer?
) {
    guard let metadata, metadata.pointee.type == FLAC__METADATA_TYPE_STREAMINFO else { return }
    reader(user).take(metadata.pointee.data.stream_info)
}

private func flacError(
    _ decoder: UnsafePointer<FLAC__StreamDecoder>?, _ status: FLAC__StreamDecoderErrorStatus,
    _ user: UnsafeMutableRawPointer?
) {
    reader(user).fail()
}
