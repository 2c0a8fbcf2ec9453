/// Why the host cannot listen, as a sentence.
package enum ListenError: Error, Equatable, Sendable, CustomStringConvertible {
    case portInUse(address: String)
    case noSuchAddress(address: String)
    case denied(address: String)
    case failed(address: String, operation: String, reason: String)
    /// libmicrohttpd did not start on an open socket: key or certificate cannot be used.
    case noServer(address: String)

    package var description: String {
        switch self {
        case .portInUse(let address):
            "Another program listens on \(address) already: stop it, or choose another port with --listen."
        case .noSuchAddress(let address):
            "\(address) is not an address of this machine: use --listen 0.0.0.0:8443 for all of them."
        case .denied(let address):
            "This user may not listen on \(address): choose a port from 1024 on."
        case .failed(let address, let operation, let reason):
            "The host could not \(operation) \(address): \(reason)."
        case .noServer(let address):
            "The HTTPS server for \(address) did not start: check key.pem and certificate.pem in the host's folder."
        }
    }
}
