/// Why a device or host has no usable identity.
package enum IdentityError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Neither key nor certificate is there.
    case absent(folder: String)
    /// A certificate without its key, which nothing can replace.
    case keyLost(path: String)
    case unreadable(path: String, reason: String)
    /// The file is there and is not what it should be.
    case damaged(path: String, reason: String)
    /// The certificate was made for another key.
    case mismatched(key: String, certificate: String)
    case unwritable(path: String, reason: String)
    /// GnuTLS could not do `operation`.
    case failed(operation: String, reason: String)

    package var description: String {
        switch self {
        case .absent(let folder): "There is no key in \(folder) yet."
        case .keyLost(let path):
            "The key \(path) is gone but its certificate is there: put the key back, or remove the certificate and pair again."
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)."
        case .damaged(let path, let reason):
            "\(path) is damaged (\(reason)): put it back from a copy, or remove key and certificate and pair again."
        case .mismatched(let key, let certificate):
            "\(certificate) was made for another key than \(key): remove the certificate, a new one is made for the key."
        case .unwritable(let path, let reason): "\(path) cannot be written: \(reason)."
        case .failed(let operation, let reason): "GnuTLS could not \(operation): \(reason)."
        }
    }
}
