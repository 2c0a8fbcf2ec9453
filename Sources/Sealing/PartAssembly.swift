// Invariants
//   1. What comes out is a prefix of what was recorded: whole chunks of the part file in their order, then, without a
//      gap, what the tail has of the bytes that follow.
//   2. Nothing comes out that its tag does not vouch for.
//   3. Damage ends the prefix, it is no error: a torn part file is what a power cut leaves. Only a key that is missing
//      is an error, because with the key there may be more. With a torn header and a single record the two cannot be
//      told apart, and it counts as damage: whoever calls has opened the head manifest with the same key.

/// What was put together of a recording that was never finished.
package struct AssembledPart: Equatable, Sendable {
    /// Whole chunks taken from the part file.
    package let chunks: UInt64
    /// Plain bytes taken from the tail journal after them.
    package let tailBytes: Int
    /// The part file is whole to its last chunk; the tail was not needed.
    package let complete: Bool

    package init(chunks: UInt64, tailBytes: Int, complete: Bool) {
        self.chunks = chunks
        self.tailBytes = tailBytes
        self.complete = complete
    }
}

/// Puts the plain bytes of an unfinished recording together, from its part file and its tail journal.
///
/// - Parameters:
///   - part: reads the part file at an offset into the buffer and returns how many bytes: 0 only at its end.
///   - tail: the whole journal; empty when there is none.
///   - utterance: its id, 16 bytes.
///   - sink: takes the plain bytes in their order.
/// - Throws: `AgeError.noIdentityMatches` when the part file, or, with a torn header, the tail is sealed to other keys;
///   and what the reader and the sink throw.
package func assemble(
    part: (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int, tail: [UInt8],
    utterance: [UInt8], identities: [AgeIdentity], into sink: (UnsafeRawBufferPointer) throws -> Void
) throws -> AssembledPart {
    let head = try openPart(part, with: identities, into: sink)
    if head.ending == .whole { return AssembledPart(chunks: head.chunks, tailBytes: 0, complete: true) }
    let frames = TailJournal.frames(in: tail, of: utterance)
    var records: [(position: Int, bytes: [UInt8])] = []
    for (at, frame) in frames {
        let boxes = (0..<frame.boxes).lazy.map { at + TailFrame.count + $0 * frame.boxBytes }
        let opened = boxes.compactMap { openedBox(tail[$0..<($0 + frame.boxBytes)], frame, identities) }.first
        if let opened { records.append((frame.position, opened)) }
    }
    // A power cut tears at most the record that was being written: two that do not open want another key.
    if head.ending == .inHeader, records.isEmpty, frames.count > 1 { throw AgeError.noIdentityMatches }
    records.sort { $0.position < $1.position }
    let start = Int(head.chunks) * AgeChunk.plain
    var end = start
    for (position, bytes) in records where position <= end && position + bytes.count > end {
        try bytes[(end - position)...].withUnsafeBytes(sink)
        end = position + bytes.count
    }
    return AssembledPart(chunks: head.chunks, tailBytes: end - start, complete: false)
}

private func openedBox(
    _ box: ArraySlice<UInt8>, _ frame: TailFrame, _ identities: [AgeIdentity]
) -> [UInt8]? {
    identities.lazy.compactMap { TailBox.open(box, under: frame, with: $0) }.first
}

private enum PartEnding {
    /// The header could not be read to its end, or not be trusted.
    case inHeader
    /// A chunk is missing, torn or damaged.
    case inChunks
    case whole
}

/// Hands out the whole chunks of the part file.
private func openPart(
    _ part: (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int,
    with identities: [AgeIdentity], into sink: (UnsafeRawBufferPointer) throws -> Void
) throws -> (chunks: UInt64, ending: PartEnding) {
    var opener = AgeOpener(identities: identities)
    var chunks: UInt64 = 0
    // What the reader or the sink throws passes through as it is, even an AgeError.
    var passing: (any Error)?
    let counted = { (plain: UnsafeRawBufferPointer) throws in
        chunks += 1
        do { try sink(plain) } catch {
            passing = error
            throw error
        }
    }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: AgeChunk.plain, alignment: 16)
    defer { piece.deallocate() }
    var offset = 0
    do {
        while true {
            let count: Int
            do { count = try part(offset, piece) } catch {
                passing = error
                throw error
            }
            if count == 0 { break }
            try opener.open(UnsafeRawBufferPointer(rebasing: piece[..<count]), into: counted)
            offset += count
        }
        try opener.finish(into: counted)
        return (chunks, .whole)
    } catch let error as AgeError where passing == nil {
        switch error {
        case .noIdentityMatches, .badKey: throw error
        case .notAge, .malformed, .wrongHeaderTag: return (chunks, .inHeader)
        case .damaged, .truncated: return (chunks, .inChunks)
        case .tooLong: return (chunks, .whole)
        }
    }
}
