// Invariants
// 1. Nothing before the last whole page, frame or sample of a file is changed, save sizes and the mark of the end.
// 2. A file that throws is left as it was: it may still be worth something to somebody.
// 3. Salvaging twice gives what salvaging once gave.
//
// A file loses its end in three ways: it is cut, its last block is torn, or blocks that were never written read as
// zeros. In WAV zeros are also legal silence: only the other two are mended there.

/// What salvage made of a file.
package struct Salvaged: Equatable, Sendable {
    /// The file's length now.
    package let bytes: Int
    /// Whole frames at the recording's own rate; 0 when nothing was ever recorded: a head at most, then nothing
    /// or zeros.
    package let frames: Int
    /// The recording's own; 0 when there is no frame.
    package let rate: Int
    package let channels: Int

    package init(bytes: Int, frames: Int, rate: Int, channels: Int) {
        self.bytes = bytes
        self.frames = frames
        self.rate = rate
        self.channels = channels
    }

    static func nothing(bytes: Int) -> Salvaged { Salvaged(bytes: bytes, frames: 0, rate: 0, channels: 0) }
}

/// Makes an unfinished recording valid in place: cuts it after the last whole page, frame or sample and completes
/// what its head and its last page say of the end. Not synced: that is for whoever keeps the file.
///
/// - Throws: `undecodable` when something was recorded and nothing of it can be decoded; the file is as it was.
package func salvage(path: String, format: AudioFormat) throws(AudioFileError) -> Salvaged {
    let file = try DiskFile(path, writable: true)
    // Of zeros alone no block ever reached the card.
    if try file.isZero(from: 0) { return .nothing(bytes: try file.length()) }
    switch format {
    case .opus: return try salvageOpus(file)
    case .flac: return try salvageFLAC(file)
    case .wav: return try salvageWAV(file)
    }
}

/// Cuts to whole frames and patches the sizes.
private func salvageWAV(_ file: borrowing DiskFile) throws(AudioFileError) -> Salvaged {
    let length = try file.length()
    if length < WAVLayout.headLength { return .nothing(bytes: length) }
    guard let (rate, channels) = WAVLayout.parse(try file.bytes(at: 0, count: WAVLayout.headLength)) else {
        throw .undecodable(path: file.path, what: "its head is damaged")
    }
    let frames = (length - WAVLayout.headLength) / (2 * channels)
    let end = WAVLayout.headLength + frames * 2 * channels
    try file.truncate(to: end)
    for (offset, size) in WAVLayout.sizes(length: end) ?? [] { try file.overwrite(size, at: offset) }
    return frames == 0
        ? .nothing(bytes: end) : Salvaged(bytes: end, frames: frames, rate: rate, channels: channels)
}
