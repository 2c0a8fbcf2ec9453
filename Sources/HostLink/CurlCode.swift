import CCurl
import Wire

/// One place where libcurl's codes become failures (libcurl-errors(3)).
///
/// - Parameter connected: whether the TLS handshake was done; before it nothing of ours was sent.
func failure(of code: CURLcode, connected: Bool) -> TransferFailure {
    switch code {
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .mistrusted
    case CURLE_OPERATION_TIMEDOUT: connected ? .stalled : .unreachable
    // Whatever else ends a connection is, before the handshake, a host that is not there, and after it a cut:
    // any part of the request may have arrived.
    default: connected ? .cut : .unreachable
    }
}

/// The libcurl error as words: its own text for this transfer, or the code's.
func reason(of code: CURLcode, buffer: [CChar]) -> String {
    // `TransferContext.begins` has kept it from going out twice.
    if code == CURLE_ABORTED_BY_CALLBACK { return "the other side closed it" }
    let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let words = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
    return words.last == "." ? String(words.dropLast()) : words
}

/// Set up once for the process, when the first transfer needs it: an idle device does without its memory.
let curlReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
