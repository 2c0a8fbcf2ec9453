import Foundation

/// A road between device and host that can be cut: forwards TCP, counts connections, and breaks each one after
/// a number of bytes in one of the directions.
final class Relay: @unchecked Sendable {
    struct Rule: Sendable {
        /// Bytes from the device, TLS included, after which a connection is reset; nil for none.
        var upBytes: Int?
        /// The same from the host.
        var downBytes: Int?
        /// Bytes from the device after which nothing more of it is read.
        var upTaken: Int?
        /// Takes connections and forwards nothing.
        var isDeaf = false
    }

    // `lock` guards everything below it.
    private let lock = NSCondition()
    private var rules: [Rule]
    private var connections = 0
    private var open = 0
    private var up = 0
    private let listener: Int32
    private let target: UInt16
    let port: UInt16

    /// `rules` for the first connections in order; later ones are left alone.
    init(to target: UInt16, rules: [Rule] = []) {
        self.target = target
        self.rules = rules
        (listener, port) = Self.listenOnLoopback()
        // Handed on to connections: what the road has not carried is with the device, but for so much.
        var buffer: Int32 = 262_144
        setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &buffer, socklen_t(MemoryLayout<Int32>.size))
        Thread.detachNewThread { [self] in acceptAll() }
    }

    static func listenOnLoopback() -> (descriptor: Int32, port: UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { socketAddress in
                precondition(bind(listener, socketAddress, size) == 0 && listen(listener, 16) == 0)
                getsockname(listener, socketAddress, &size)
            }
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// Connections taken so far.
    var count: Int {
        lock.lock()
        defer { lock.unlock() }
        return connections
    }

    /// Bytes from the device that it has taken.
    var carriedUp: Int {
        lock.lock()
        defer { lock.unlock() }
        return up
    }

    /// Blocks until no connection is open; false when that takes a minute.
    func waitUntilClosed() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        let limit = Date(timeIntervalSinceNow: 60)
        while open > 0 { if !lock.wait(until: limit) { return false } }
        return true
    }

    /// Blocks until a connection was taken; false when that takes a minute.
    func waitForConnection() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        let limit = Date(timeIntervalSinceNow: 60)
        while connections == 0 { if !lock.wait(until: limit) { return false } }
        return true
    }

    /// Takes no more connections.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func acceptAll() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { break }
            lock.lock()
            let rule = rules.isEmpty ? Rule() : rules.removeFirst()
            connections += 1
            open += 1
            lock.broadcast()
            lock.unlock()
            Thread.detachNewThread { [self] in
                serve(client, rule)
                lock.lock()
                open -= 1
                lock.broadcast()
                lock.unlock()
            }
        }
        close(listener)
    }

    private func serve(_ client: Int32, _ rule: Rule) {
        let host = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer {
            close(client)
            close(host)
        }
        var address = loopback(target)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(host, $0, size) }
        }
        guard result == 0 else { return }
        var up = 0
        var down = 0
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            var ready = [
                pollfd(fd: client, events: up < rule.upTaken ?? .max ? Int16(POLLIN) : 0, revents: 0),
                pollfd(fd: host, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&ready, 2, -1) > 0 else { return }
            for (index, from, to) in [(0, client, host), (1, host, client)] where ready[index].revents != 0 {
                let n = recv(from, &buffer, buffer.count, 0)
                guard n > 0 else { return }
                if rule.isDeaf { continue }
                let limit = (index == 0 ? rule.upBytes : rule.downBytes) ?? .max
                let allowed = min(n, limit - (index == 0 ? up : down))
                if index == 0 {
                    up += allowed
                    lock.lock()
                    self.up += allowed
                    lock.unlock()
                } else {
                    down += allowed
                }
                var sent = 0
                while sent < allowed {
                    let m = buffer.withUnsafeBytes {
                        send(
                            to, $0.baseAddress?.advanced(by: sent), allowed - sent,
                            Int32(MSG_NOSIGNAL))
                    }
                    guard m > 0 else { return }
                    sent += m
                }
                if allowed < n {
                    // A reset and not an end: what the device hears when a network breaks.
                    var linger = linger(l_onoff: 1, l_linger: 0)
                    setsockopt(
                        client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
                    return
                }
            }
        }
    }
}

private func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
}
