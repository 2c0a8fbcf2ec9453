// Invariants
//   1. The key is the identity. A certificate can be made again for it; a key cannot be made again.
//   2. So the key is durable before its certificate exists: a power cut between the two leaves the key alone, and
//      the next start makes the certificate.
//   3. A certificate without its key is a loss that is told, never papered over by a new identity: every host
//      that this one is paired with would take it for a stranger.

import Glibc

extension Identity {
    /// File names in the identity's folder; libcurl reads both by path.
    package static let keyFile = "key.pem"
    package static let certificateFile = "certificate.pem"

    package static func keyPath(in folder: String) -> String { folder + "/" + keyFile }
    package static func certificatePath(in folder: String) -> String { folder + "/" + certificateFile }

    /// Reads both files. `.absent` when neither is there.
    package static func load(folder: String) throws(IdentityError) -> Identity {
        let keyPath = keyPath(in: folder)
        let certificatePath = certificatePath(in: folder)
        let key = try contents(keyPath)
        let certificate = try contents(certificatePath)
        guard let key else {
            throw certificate == nil ? .absent(folder: folder) : .keyLost(path: keyPath)
        }
        guard let certificate else { throw .unreadable(path: certificatePath, reason: "it is missing") }
        try checking(keyPath) { () throws(IdentityError) in _ = try PrivateKey.read(key).pin() }
        var identity: Identity?
        try checking(certificatePath) { () throws(IdentityError) in
            identity = try Identity(keyPEM: key, certificatePEM: certificate)
        }
        guard let identity else { throw .mismatched(key: keyPath, certificate: certificatePath) }
        return identity
    }

    /// `load`, or a new identity when there is none; a lone key gets its certificate.
    ///
    /// `save` replaces a file durably (path, bytes); the key's file is then readable by its owner only.
    package static func loadOrMake(
        folder: String, name: String, save: (String, [UInt8]) throws -> Void
    ) throws(IdentityError) -> Identity {
        let keyPath = keyPath(in: folder)
        let key = try contents(keyPath)
        let certificate = try contents(certificatePath(in: folder))
        if certificate != nil { return try load(folder: folder) }
        let identity: Identity
        if let key {
            let readable = try checking(keyPath) { () throws(IdentityError) in
                try Identity(keyPEM: key, name: name)
            }
            identity = readable
        } else {
            identity = try make(name: name)
            try write(identity.keyPEM, to: keyPath, save)
        }
        try write(identity.certificatePEM, to: certificatePath(in: folder), save)
        return identity
    }

    private init(keyPEM: [UInt8], name: String) throws(IdentityError) {
        try self.init(key: PrivateKey.read(keyPEM), name: name)
    }

    private static func checking<T>(
        _ path: String, _ read: () throws(IdentityError) -> T
    ) throws(IdentityError) -> T {
        do { return try read() } catch {
            if case .failed(_, let reason) = error { throw .damaged(path: path, reason: reason) }
            throw error
        }
    }

    static func write(
        _ bytes: [UInt8], to path: String, _ save: (String, [UInt8]) throws -> Void
    ) throws(IdentityError) {
        do { try save(path, bytes) } catch { throw .unwritable(path: path, reason: "\(error)") }
        guard chmod(path, 0o600) == 0 else {
            throw .unwritable(path: path, reason: String(cString: strerror(errno)))
        }
    }

    /// The file's bytes; nil when it does not exist. PEM files are small: a larger one is not a key.
    static func contents(_ path: String) throws(IdentityError) -> [UInt8]? {
        var descriptor: Int32
        repeat { descriptor = open(path, O_RDONLY | O_CLOEXEC) } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var filled = 0
        while filled < bytes.count {
            let room = bytes.count - filled
            let n = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress?.advanced(by: filled), room)
            }
            if n < 0 && errno == EINTR { continue }
            guard n >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
            if n == 0 { return Array(bytes[..<filled]) }
            filled += n
        }
        throw .damaged(path: path, reason: "it is larger than any key")
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
