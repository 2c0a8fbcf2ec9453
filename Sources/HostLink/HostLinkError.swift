import Wire

/// Why a request was not answered, or a pairing refused, as a sentence for whoever holds the device.
package enum HostLinkError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A request brought no answer.
    case noAnswer(TransferFailure, address: String, reason: String)
    /// libcurl could not be set up.
    case setup(operation: String, reason: String)
    /// Whoever asked wanted no answer any more.
    case stopped
    /// A file that was to be sent cannot be read: the card.
    case unreadable(path: String, reason: String)
    /// A file that was to take an answer cannot be written; what it holds is the answer's beginning.
    case unwritable(path: String, reason: String)
    /// Pairing: no address answered.
    case hostNotReachable(reason: String)
    /// Pairing: the token is unknown, spent or too old.
    case tokenRefused
    /// Pairing: the host is there and cannot pair now; with what it says of it.
    case hostBusy(address: String, status: Int, sentence: String?)
    /// Pairing: something answers, and it is no Lapel host.
    case notAHost(address: String, reason: String)

    package var description: String {
        switch self {
        case .noAnswer(.unreachable, let address, let reason):
            "The host at \(address) is not reachable: \(reason)."
        case .noAnswer(.cut, let address, let reason): "The connection to \(address) broke: \(reason)."
        case .noAnswer(.stalled, let address, let reason):
            "The connection to \(address) stood still: \(reason)."
        case .noAnswer(.mistrusted, let address, _):
            "Somebody else answers at \(address): its key is not the paired host's, so nothing was sent. If the host was set up anew, pair again."
        case .setup(let operation, let reason): "libcurl could not \(operation): \(reason)."
        case .stopped: "The transfer was stopped because the program ends."
        case .unreadable(let path, let reason):
            "\(path) cannot be read (\(reason)): the memory card may be failing."
        case .unwritable(let path, let reason):
            "\(path) cannot be written (\(reason)): make room, or look after the memory card."
        case .hostNotReachable(let reason):
            "The host cannot be reached from here. \(reason) Check that `lapel-host serve` runs and that both are in one network."
        case .tokenRefused:
            "The host does not take this pairing URL: it is spent or too old. Run `lapel-host pair` for a new one."
        case .hostBusy(let address, let status, let sentence):
            "The host at \(address) cannot pair now (HTTP \(status))\(sentence.map { ": \($0)" } ?? ".") Try again in a minute; the URL stays good."
        case .notAHost(let address, let reason): "What answers at \(address) is no Lapel host: \(reason)."
        }
    }
}
