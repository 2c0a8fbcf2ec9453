import Wire

/// Why something could not be sent, as a sentence for whoever holds the device.
package enum ShipperError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A request brought no answer.
    case noAnswer(TransferFailure, address: String, reason: String)
    /// libcurl could not be set up.
    case setup(operation: String, reason: String)
    /// `shutDown` ended it.
    case stopped
    /// A file of ours is gone.
    case missing(path: String)
    /// A file of ours cannot be read: the card.
    case unreadable(path: String, reason: String)
    /// A manifest of ours is not one.
    case damagedManifest(path: String, reason: String)
    /// An item is sealed to keys that the paired host does not hold.
    case sealedToOthers(path: String)
    /// Pairing: no address answered; each with its reason.
    case hostNotReachable(reasons: [String])
    /// Pairing: the token is unknown, spent or too old.
    case tokenRefused
    /// Pairing: something answers, and it is no Lapel host.
    case notAHost(address: String, reason: String)

    package var description: String {
        switch self {
        case .noAnswer(.unreachable, let address, let reason):
            "The host at \(address) is not reachable: \(reason)."
        case .noAnswer(.cut, let address, let reason): "The connection to \(address) broke: \(reason)."
        case .noAnswer(.stalled, let address, _): "The connection to \(address) stood still for 20 seconds."
        case .noAnswer(.mistrusted, let address, _):
            "Somebody else answers at \(address): its key is not the paired host's, so nothing was sent. If the host was set up anew, pair again."
        case .setup(let operation, let reason): "libcurl could not \(operation): \(reason)."
        case .stopped: "The transfer was stopped because the program ends."
        case .missing(let path): "\(path) is gone."
        case .unreadable(let path, let reason):
            "\(path) cannot be read (\(reason)): the memory card may be failing."
        case .damagedManifest(let path, let reason): "\(path) cannot be used: \(reason)"
        case .sealedToOthers(let path):
            "\(path) is sealed to keys that the paired host does not hold."
        case .hostNotReachable(let reasons):
            "The host cannot be reached from here. \(reasons.joined(separator: " ")) Check that `lapel-host serve` runs and that both are in one network."
        case .tokenRefused:
            "The host does not take this pairing URL: it is spent or too old. Run `lapel-host pair` for a new one."
        case .notAHost(let address, let reason): "What answers at \(address) is no Lapel host: \(reason)."
        }
    }
}
