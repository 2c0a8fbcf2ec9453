import AudioFiles

/// Frames at the recording's own rate that a file really holds, by decoding all of it; nil when it cannot be decoded.
func decodedFrames(of path: String) -> Int? {
    guard let reader = try? AudioReader(path: path) else { return nil }
    var samples = 0
    while let block = try? reader.read(), !block.isEmpty { samples += block.count }
    return samples / reader.channels * reader.inputRate / reader.rate
}
