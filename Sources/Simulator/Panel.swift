import Glibc
import Hardware
import Synchronization
import Threads

/// Why the panel's socket cannot be had.
package struct PanelError: Error, Equatable, CustomStringConvertible {
    package let path: String
    package let reason: String
    package var description: String { "The panel socket \(path) cannot be opened: \(reason)." }
}

/// A button and a lamp for another process: a datagram socket that takes `press` and `release` and answers
/// every change of the lamp with `lamp on|off <nanoseconds of CLOCK_MONOTONIC>` to whoever spoke last.
package final class Panel: ButtonSource, Output {
    private struct State {
        var peer: sockaddr_un?
        var peerLength: socklen_t = 0
        var down = false
    }

    private let path: String
    private let socketDescriptor: Int32
    private let state = Mutex(State())

    /// Binds `path`; a socket that an ended program left there is replaced.
    package init(path: String) throws(PanelError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else {
            throw PanelError(path: path, reason: "the path is longer than \(room - 1) bytes")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        unlink(path)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard descriptor >= 0, bound == 0 else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw PanelError(path: path, reason: reason)
        }
        self.path = path
        socketDescriptor = descriptor
    }

    deinit {
        close(socketDescriptor)
        unlink(path)
    }

    package func start(report: @escaping @Sendable (ButtonEvent) -> Void) {
        _ = NamedThread("panel") { [self] in
            var bytes = [UInt8](repeating: 0, count: 64)
            while true {
                var peer = sockaddr_un()
                var length = socklen_t(MemoryLayout<sockaddr_un>.size)
                let n = withUnsafeMutablePointer(to: &peer) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        recvfrom(socketDescriptor, &bytes, bytes.count, 0, $0, &length)
                    }
                }
                let at = MonotonicClock.now
                guard n >= 0 else {
                    if errno == EINTR { continue }
                    return
                }
                let word = String(decoding: bytes[..<n], as: UTF8.self).filter { $0 != "\n" }
                guard word == "press" || word == "release" else { continue }
                let down = word == "press"
                state.withLock { state in
                    state.down = down
                    state.peer = length > MemoryLayout<sa_family_t>.size ? peer : nil
                    state.peerLength = length
                }
                report(.edge(Edge(down: down, at: at)))
            }
        }
    }

    package func isDown() -> Bool? { state.withLock { $0.down } }

    package func set(_ on: Bool) {
        let (peer, length) = state.withLock { ($0.peer, $0.peerLength) }
        guard var peer else { return }
        let line = "lamp \(on ? "on" : "off") \(MonotonicClock.now.wholeNanoseconds)"
        withUnsafePointer(to: &peer) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(socketDescriptor, line, line.utf8.count, Int32(MSG_DONTWAIT), $0, length)
            }
        }
    }
}
