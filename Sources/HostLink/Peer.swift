import Identity

/// Whom a client talks to, and why it may.
package enum Peer: Equatable, Sendable {
    /// Whoever holds the key with this SHA-256 (32 bytes); the device proves itself by its own.
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

/// The PEM files by which this device proves who it is; libcurl reads them by path.
package struct Credentials: Equatable, Sendable {
    package let certificatePath: String
    package let keyPath: String

    package init(certificatePath: String, keyPath: String) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
    }

    /// The files of the identity in `folder`.
    package init(folder: String) {
        self.init(
            certificatePath: Identity.certificatePath(in: folder), keyPath: Identity.keyPath(in: folder))
    }
}
