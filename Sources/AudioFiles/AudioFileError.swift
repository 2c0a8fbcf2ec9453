/// Why a file of sound cannot be read, as a sentence for whoever named the file.
package enum AudioFileError: Error, Equatable, Sendable, CustomStringConvertible {
    case missing(path: String)
    /// The system would not read it; `reason` is its own word for that.
    case unreadable(path: String, reason: String)
    /// It holds no byte.
    case empty(path: String)
    /// `found` names what the file is instead, when its first bytes tell, for example "an Ogg file".
    case notWAV(path: String, found: String?)
    /// It ends inside its own header.
    case truncatedHeader(path: String)
    /// The header contradicts itself; `what` says where.
    case damagedHeader(path: String, what: String)
    /// `encoding` names what is not read, for example "A-law".
    case unsupportedEncoding(path: String, encoding: String)
    case noSamples(path: String)
    /// Neither Ogg Opus, FLAC nor WAV.
    case unknownFormat(path: String)
    /// Something is there, and none of it can be decoded.
    case undecodable(path: String, what: String)
    /// An encoder did not work.
    case encoding(format: AudioFormat, operation: String, reason: String)

    package var description: String {
        switch self {
        case .missing(let path):
            "There is no file \(path): check its name."
        case .unreadable(let path, let reason):
            "The file \(path) cannot be read: \(reason)."
        case .empty(let path):
            "The file \(path) is empty: nothing was recorded into it."
        case .notWAV(let path, let found?):
            "The file \(path) is \(found), not a WAV file: convert it to WAV first."
        case .notWAV(let path, nil):
            "The file \(path) is not a WAV file."
        case .truncatedHeader(let path):
            "The file \(path) ends inside its header: it was cut short, so copy or record it again."
        case .damagedHeader(let path, let what):
            "The file \(path) has a damaged WAV header: \(what)."
        case .unsupportedEncoding(let path, let encoding):
            "The file \(path) holds \(encoding), which is not read: convert it to 16-bit PCM WAV first."
        case .noSamples(let path):
            "The file \(path) is a WAV file without a single sample: nothing was recorded into it."
        case .unknownFormat(let path):
            "The file \(path) is neither Ogg Opus, FLAC nor WAV: convert it to one of these first."
        case .undecodable(let path, let what):
            "The file \(path) cannot be decoded: \(what)."
        case .encoding(let format, let operation, let reason):
            "The \(format.rawValue) encoder could not \(operation): \(reason)."
        }
    }
}
