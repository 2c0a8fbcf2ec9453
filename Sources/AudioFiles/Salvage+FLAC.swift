/// Cuts after the last whole frame and writes the number of frames into the head (RFC 9639 §8.2).
/// The head's MD5 stays zero, "unknown", because no more than that was known when it was written.
func salvageFLAC(_ file: borrowing DiskFile) throws(AudioFileError) -> Salvaged {
    let length = try file.length()
    guard let metadataEnd = try metadataEnd(file) else {
        throw .undecodable(path: file.path, what: "its head is damaged")
    }
    // Libraries write the head in pieces: one that is not all there was never followed by sound.
    if length <= metadataEnd { return .nothing(bytes: length) }
    if try file.isZero(from: metadataEnd) { return .nothing(bytes: length) }
    let reader = try FLACReader(path: file.path)
    var frames = 0
    while true {
        let samples = try reader.read()
        if samples.isEmpty { break }
        frames += samples.count / reader.channels
    }
    guard frames > 0 else { throw .undecodable(path: file.path, what: "not one frame of sound is whole") }
    try file.truncate(to: reader.end)
    var count = try file.bytes(at: sampleCountOffset, count: 5)
    count[0] = count[0] & 0xF0 | UInt8(truncatingIfNeeded: frames >> 32) & 0x0F
    for i in 1..<5 { count[i] = UInt8(truncatingIfNeeded: frames >> (8 * (4 - i))) }
    try file.overwrite(count, at: sampleCountOffset)
    return Salvaged(bytes: reader.end, frames: frames, rate: reader.rate, channels: reader.channels)
}

/// In the file: the last 4 bits of this byte and the 4 bytes after it.
private let sampleCountOffset = 4 + 4 + 13

/// Where the metadata blocks end, which may be beyond the file; nil when it does not begin like a FLAC file.
private func metadataEnd(_ file: borrowing DiskFile) throws(AudioFileError) -> Int? {
    let marker = try file.bytes(at: 0, count: 4)
    guard Array("fLaC".utf8).starts(with: marker) else { return nil }
    var offset = 4
    while true {
        let head = try file.bytes(at: offset, count: 4)
        guard head.count == 4 else { return offset + 4 }
        offset += 4 + (Int(head[1]) << 16 | Int(head[2]) << 8 | Int(head[3]))
        if head[0] & 0x80 != 0 { return offset }
    }
}
