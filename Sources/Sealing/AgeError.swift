/// Why a sealed file, a key or a tail journal was refused.
package enum AgeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file is sealed to other keys than those at hand.
    case noIdentityMatches
    /// The file does not begin as an age v1 file does.
    case notAge
    /// The header breaks the format; `reason` completes "its header is wrong: …".
    case malformed(reason: String)
    /// A key fits, but the header was changed after it was written.
    case wrongHeaderTag
    /// A chunk (64 KiB of plain bytes, counted from 0) was changed, is out of place or was cut short.
    case damaged(chunk: UInt64)
    /// The file ends after a whole chunk that is not its last.
    case truncated
    /// Bytes follow the last chunk.
    case tooLong
    /// A key's text or file is none; `reason` is the rest of the sentence "The key cannot be used: …".
    case badKey(reason: String)

    package var description: String {
        switch self {
        case .noIdentityMatches: "The file is sealed to another key; none of the keys here opens it."
        case .notAge: "The file is not sealed: it does not begin as an age v1 file does."
        case .malformed(let reason): "The sealed file cannot be read; its header is wrong: \(reason)."
        case .wrongHeaderTag: "The sealed file's header was changed after it was written; it is not opened."
        case .damaged(let chunk):
            "The sealed file is damaged or cut off in its chunk \(chunk), counted from 0."
        case .truncated: "The sealed file is cut off: its last chunk is missing."
        case .tooLong: "The sealed file has bytes after its end; it was changed after it was written."
        case .badKey(let reason): "The key cannot be used: \(reason)."
        }
    }
}
