import CMicrohttpd
import Glibc

/// A bound and listening TCP socket. Made here because libmicrohttpd does not tell why it could not listen.
enum ListeningSocket {
    /// The descriptor, which libmicrohttpd then owns and closes, and the address with its real port.
    ///
    /// `[::]` also takes IPv4.
    static func open(_ asked: ListenAddress) throws(ListenError) -> (
        descriptor: Int32, address: ListenAddress
    ) {
        let family = ListenAddress.family(of: asked.address) ?? AF_INET
        let made = lapel_listening_socket(family)
        guard made >= 0 else { throw failure("open a socket for", asked) }
        do throws(ListenError) {
            // A server that is started again must not wait for its predecessor's last connections.
            var on: Int32 = 1
            setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
            guard bind(made, asked, family) == 0 else { throw failure("listen on", asked) }
            guard listen(made, 1024) == 0 else { throw failure("listen on", asked) }
            return (made, ListenAddress(address: asked.address, port: try port(of: made, asked)))
        } catch {
            close(made)
            throw error
        }
    }

    /// Breaks accepted connections whose other end answers nothing for so long: nothing that is sent to one that waits
    /// would fail before.
    static func noticeTheDead(_ socket: Int32, after seconds: UInt32) {
        // Connections get these from the socket that they were accepted on.
        var on: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, socklen_t(MemoryLayout<Int32>.size))
        for option in [TCP_KEEPIDLE, TCP_KEEPINTVL] {
            var pause = Int32(seconds / 2)
            setsockopt(socket, Int32(IPPROTO_TCP), option, &pause, socklen_t(MemoryLayout<Int32>.size))
        }
        // Of both, tcp(7): what is sent and what is asked counts.
        var milliseconds = seconds * 1000
        setsockopt(
            socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, socklen_t(MemoryLayout<UInt32>.size))
    }

    private static func bind(_ socket: Int32, _ asked: ListenAddress, _ family: Int32) -> Int32 {
        if family == AF_INET6 {
            var six = sockaddr_in6()
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = asked.port.bigEndian
            inet_pton(AF_INET6, asked.address, &six.sin6_addr)
            return withRaw(&six) { Glibc.bind(socket, $0, $1) }
        }
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = asked.port.bigEndian
        inet_pton(AF_INET, asked.address, &four.sin_addr)
        return withRaw(&four) { Glibc.bind(socket, $0, $1) }
    }

    private static func withRaw<Address>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    private static func port(of socket: Int32, _ asked: ListenAddress) throws(ListenError) -> UInt16 {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
        }
        guard result == 0 else { throw failure("ask for the port of", asked) }
        // The port stands at the same place in both families.
        return withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
        }
    }

    private static func failure(_ operation: String, _ asked: ListenAddress) -> ListenError {
        switch errno {
        case EADDRINUSE: .portInUse(address: asked.description)
        case EADDRNOTAVAIL: .noSuchAddress(address: asked.description)
        case EACCES: .denied(address: asked.description)
        case let code:
            .failed(address: asked.description, operation: operation, reason: String(cString: strerror(code)))
        }
    }
}
