import Foundation

/// A TCP connection to loopback that says nothing.
final class BareSocket {
    private let descriptor: Int32

    struct Refused: Error {}

    init(port: UInt16) throws {
        descriptor = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard connectsToLoopback(descriptor, port: port) else { throw Refused() }
    }

    deinit { close(descriptor) }

    /// Waits, at most 20 s, until the other end has closed it.
    func isClosed() -> Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, 0) == 0
    }
}

/// Connects a TCP socket to a port of this machine; what is received on it is waited for 20 s at most.
func connectsToLoopback(_ socket: Int32, port: UInt16) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    return connected == 0
}
