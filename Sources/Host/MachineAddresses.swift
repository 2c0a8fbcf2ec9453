import Glibc

/// The addresses under which others may reach this machine.
enum MachineAddresses {
    /// IPv4 first. Loopback alone, when that is all there is; never link-local IPv6, which means nothing without
    /// an interface's name.
    static func all(ipv6: Bool) -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return ["127.0.0.1"] }
        defer { freeifaddrs(list) }
        var four: [String] = []
        var six: [String] = []
        var next = list
        while let entry = next {
            next = entry.pointee.ifa_next
            let flags = Int32(bitPattern: entry.pointee.ifa_flags)
            guard let address = entry.pointee.ifa_addr, flags & Int32(IFF_UP) != 0,
                flags & Int32(IFF_LOOPBACK) == 0, let text = numeric(address)
            else { continue }
            switch Int32(address.pointee.sa_family) {
            case AF_INET: four.append(text)
            case AF_INET6 where ipv6 && !text.hasPrefix("fe80"): six.append(text)
            default: break
            }
        }
        let found = four + six
        return found.isEmpty ? ["127.0.0.1"] : found
    }

    private static func numeric(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
        let size: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET: size = MemoryLayout<sockaddr_in>.size
        case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var text = [CChar](repeating: 0, count: 128)
        guard getnameinfo(address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
