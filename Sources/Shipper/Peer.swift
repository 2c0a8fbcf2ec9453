import Identity
import Wire

/// Whom a client talks to, and why it may.
enum Peer: Equatable {
    /// Whoever holds the key with this SHA-256; the device proves itself by its own.
    case pinned([UInt8], Credentials)
    /// A server that is not Lapel's: by the machine's certificate authorities, or, for `http`, by nothing.
    case foreign(isSecure: Bool)

    var scheme: String {
        switch self {
        case .pinned, .foreign(isSecure: true): "https"
        case .foreign(isSecure: false): "http"
        }
    }
}

/// Where recordings go.
package enum Destination: Equatable, Sendable {
    /// The host, whose receipts let the device let go.
    case paired(PairedHost)
    /// A tus server that is not Lapel's; what it acknowledges is set aside in `sent/`.
    case foreign(ForeignServer)

    var addresses: [HostAddress] {
        switch self {
        case .paired(let host): host.addresses
        case .foreign(let server): [server.address]
        }
    }
}

/// Where the host answered last, kept over restarts; a hint like every other.
package struct AddressMemory: Sendable {
    /// For the pin of a host; nil when nothing is known.
    let recall: @Sendable (_ pin: [UInt8]) -> HostAddress?
    /// Called on the sending thread when the host was found elsewhere.
    let keep: @Sendable (_ pin: [UInt8], HostAddress) -> Void

    package init(
        recall: @escaping @Sendable (_ pin: [UInt8]) -> HostAddress?,
        keep: @escaping @Sendable (_ pin: [UInt8], HostAddress) -> Void
    ) {
        self.recall = recall
        self.keep = keep
    }

    /// Remembers nothing.
    package static let none = AddressMemory(recall: { _ in nil }, keep: { _, _ in })
}
