import HostLink

/// Why something could not be sent, as a sentence for whoever holds the device.
package enum ShipperError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The way to the host.
    case link(HostLinkError)
    /// A file of ours is gone.
    case missing(path: String)
    /// A file of ours cannot be read: the card.
    case unreadable(path: String, reason: String)
    /// A manifest of ours is not one.
    case damagedManifest(path: String, reason: String)
    /// An item is sealed to keys that the paired host does not hold.
    case sealedToOthers(path: String)
    /// An item lies in the clear, and the destination is a foreign server.
    case inTheClear(path: String)

    package var description: String {
        switch self {
        case .link(let error): error.description
        case .missing(let path): "\(path) is gone."
        case .unreadable(let path, let reason):
            "\(path) cannot be read (\(reason)): the memory card may be failing."
        case .damagedManifest(let path, let reason): "\(path) cannot be used: \(reason)"
        case .sealedToOthers(let path):
            "\(path) is sealed to keys that the paired host does not hold."
        case .inTheClear(let path): "\(path) is not sealed: a foreign server gets sealed files only."
        }
    }
}
