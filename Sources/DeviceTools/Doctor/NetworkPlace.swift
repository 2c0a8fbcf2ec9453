import Glibc
import Threads

/// A network address that a name stands for, and a port there.
struct NetworkPlace {
    struct Failure: Error {
        let reason: String
    }

    private let family: Int32
    private let bytes: [UInt8]
    /// As it is written: "192.168.1.20", "fe80::1".
    let text: String

    /// All that the name stands for, best first. Blocks as long as the system's resolver does.
    static func resolve(_ name: String, port: UInt16) throws(Failure) -> [NetworkPlace] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, "\(port)", &hints, &first)
        guard code == 0 else { throw Failure(reason: String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(first) }
        var places: [NetworkPlace] = []
        var next = first
        while let one = next?.pointee {
            next = one.ai_next
            guard let address = one.ai_addr else { continue }
            let bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(one.ai_addrlen)))
            var host = [CChar](repeating: 0, count: 64)
            getnameinfo(address, one.ai_addrlen, &host, 64, nil, 0, NI_NUMERICHOST)
            let text = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            places.append(NetworkPlace(family: one.ai_family, bytes: bytes, text: text))
        }
        return places
    }

    /// Connects and lets go; nil when somebody took the connection, else why not.
    func refusal(patience: Duration) -> String? {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { return words(errno) }
        defer { close(descriptor) }
        let begun = bytes.withUnsafeBytes { raw in
            raw.baseAddress.map {
                connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
            } ?? -1
        }
        if begun == 0 { return nil }
        guard errno == EINPROGRESS else { return words(errno) }
        let end = MonotonicClock.now + patience
        while true {
            var one = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            let left = Int32(clamping: (end - MonotonicClock.now).wholeNanoseconds / 1_000_000)
            let woken = poll(&one, 1, max(left, 0))
            if woken < 0, errno == EINTR { continue }
            guard woken > 0 else { return "no answer in \(patience.components.seconds) s" }
            var code: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
            return code == 0 ? nil : words(code)
        }
    }

    private func words(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
}
