/// The formats a recording is made in.
package enum AudioFormat: String, CaseIterable, Hashable, Sendable {
    /// Ogg Opus (RFC 7845).
    case opus
    case flac
    /// 16-bit PCM.
    case wav

    /// RFC 7845 §9, RFC 9639 §12, and what servers take WAV for.
    package var contentType: String {
        switch self {
        case .opus: "audio/ogg"
        case .flac: "audio/flac"
        case .wav: "audio/wav"
        }
    }
}
