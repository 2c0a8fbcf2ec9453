/// What can be wrong with bytes that came from outside: one sentence each, naming the place.
package enum WireError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Not JSON by RFC 8259; `at` is the byte where reading stopped.
    case json(at: Int, reason: String)
    /// JSON, but not the document that was expected: the field and what is wrong with it.
    case field(document: String, name: String, reason: String)
    /// An HTTP header that does not follow its format.
    case header(name: String, reason: String)
    /// A pairing URL that cannot be used.
    case pairing(reason: String)

    package var description: String {
        switch self {
        case .json(let at, let reason): "This is not JSON: \(reason) at byte \(at)."
        case .field(let document, let name, let reason):
            "The \(document) cannot be used: its field \"\(name)\" \(reason)."
        case .header(let name, let reason): "The header \(name) cannot be read: \(reason)."
        case .pairing(let reason):
            "This is not a usable pairing URL: \(reason). Copy the whole line that `lapel-host pair` prints."
        }
    }
}
