import Glibc

/// Why the device's local socket cannot be used.
package enum LocalSocketError: Error, Equatable, CustomStringConvertible {
    case pathTooLong(path: String, most: Int)
    case failed(operation: String, path: String, reason: String)
    /// Nobody listens there.
    case noDevice(path: String)

    package var description: String {
        switch self {
        case .pathTooLong(let path, let most):
            "The socket's path \(path) is longer than \(most) bytes: choose a shorter `outbox_dir`."
        case .failed(let operation, let path, let reason):
            "The socket \(path) could not \(operation): \(reason)."
        case .noDevice(let path): "No lapel runs with this `outbox_dir` (nobody listens at \(path))."
        }
    }
}

/// A stream socket in the file system: one line asks, one line answers.
struct LocalSocket: ~Copyable {
    let descriptor: Int32

    private init(adopting descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Listens at `path`; what an ended program left there is replaced.
    static func listening(at path: String) throws(LocalSocketError) -> LocalSocket {
        let socket = try make(path)
        unlink(path)
        guard try withAddress(path, { bind(socket.descriptor, $0, $1) }) == 0,
            chmod(path, 0o600) == 0, listen(socket.descriptor, 8) == 0
        else { throw .failed(operation: "be opened", path: path, reason: String(cString: strerror(errno))) }
        return socket
    }

    static func connected(to path: String) throws(LocalSocketError) -> LocalSocket {
        let socket = try make(path)
        guard try withAddress(path, { connect(socket.descriptor, $0, $1) }) == 0 else {
            if errno == ENOENT || errno == ECONNREFUSED { throw .noDevice(path: path) }
            throw .failed(operation: "be reached", path: path, reason: String(cString: strerror(errno)))
        }
        return socket
    }

    /// Waits for the next visitor, who must be quick: after 2 s of silence a call on the connection fails. Nil when
    /// the socket was shut down.
    borrowing func accept() -> LocalSocket? {
        while true {
            let visitor = Glibc.accept(descriptor, nil, nil)
            if visitor >= 0 {
                var limit = timeval(tv_sec: 2, tv_usec: 0)
                let size = socklen_t(MemoryLayout<timeval>.size)
                setsockopt(visitor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
                setsockopt(visitor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
                _ = fcntl(visitor, F_SETFD, FD_CLOEXEC)
                return LocalSocket(adopting: visitor)
            }
            if errno != EINTR && errno != ECONNABORTED { return nil }
        }
    }

    /// Wakes `accept` for good.
    borrowing func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    borrowing func write(line: String) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let n = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if n < 0 && errno == EINTR { continue }
            if n <= 0 { return }
            bytes = bytes.dropFirst(n)
        }
    }

    /// The next line without its end, at most `most` bytes; nil when the other side said nothing whole in time.
    borrowing func readLine(most: Int) -> String? {
        var line: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while line.count < most {
            let n = read(descriptor, &chunk, chunk.count)
            if n < 0 && errno == EINTR { continue }
            if n <= 0 { return nil }
            let end = chunk[..<n].firstIndex(of: 10)
            line += chunk[..<(end ?? n)]
            if end != nil { return line.count <= most ? String(decoding: line, as: UTF8.self) : nil }
        }
        return nil
    }

    private static func make(_ path: String) throws(LocalSocketError) -> LocalSocket {
        let most = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        guard path.utf8.count <= most else { throw .pathTooLong(path: path, most: most) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw .failed(operation: "be made", path: path, reason: String(cString: strerror(errno)))
        }
        return LocalSocket(adopting: descriptor)
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(LocalSocketError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
