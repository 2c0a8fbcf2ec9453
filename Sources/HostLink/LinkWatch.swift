import Glibc

/// Hears from the kernel that the network came up (rtnetlink(7)), so that a device in back-off tries at once. Open only
/// while something waits in vain. A sandbox that refuses the socket costs nothing but that.
package struct LinkWatch: ~Copyable {
    /// Readable when there is news; -1 where there is none to be had.
    package let descriptor: Int32
    private var news = LinkNews()

    package init() {
        let kind = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let socket = socket(AF_NETLINK, kind, 0)  // NETLINK_ROUTE
        // sockaddr_nl: family, padding, port (the kernel chooses), groups: links, IPv4 and IPv6 addresses and routes.
        var address: (UInt16, UInt16, UInt32, UInt32) = (
            UInt16(AF_NETLINK), 0, 0, 0x1 | 0x10 | 0x40 | 0x100 | 0x400
        )
        let bound = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { bind(socket, $0.baseAddress, 12) }
        }
        if socket >= 0, bound != 0 {
            close(socket)
            descriptor = -1
        } else {
            descriptor = socket
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes what the kernel has told meanwhile; true when something came up.
    package mutating func cameUp() -> Bool {
        guard descriptor >= 0 else { return false }
        var isUp = false
        var buffer = [UInt8](repeating: 0, count: 32_768)
        for _ in 0..<256 {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0 && errno == EINTR { continue }
            // More was told than there was room for: something may have come up.
            if count < 0 && errno == ENOBUFS {
                isUp = true
                continue
            }
            guard count > 0 else { break }
            if news.hear(Array(buffer.prefix(count))) { isUp = true }
        }
        return isUp
    }
}
