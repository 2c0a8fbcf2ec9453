import Foundation
import Synchronization
import TestSupport

/// The other side of the device's panel: presses its button and sees its lamp.
final class Panel: Sendable {
    /// One change of the lamp, with the device's own stamp.
    struct Lamp: Equatable, Sendable {
        let isOn: Bool
        /// CLOCK_MONOTONIC.
        let nanoseconds: Int64
    }

    let devicePath: String
    private let ownPath: String
    private let descriptor: Int32

    init(in folder: TemporaryFolder) throws {
        let name = UUID().uuidString.prefix(8)
        devicePath = folder.file("panel-\(name)")
        ownPath = folder.file("thumb-\(name)")
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let (socket, path) = (descriptor, ownPath)
        guard withSocketAddress(path, { bind(socket, $0, $1) }) == 0 else { throw Broken("panel: no socket") }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Says `press` or `release`.
    func send(_ word: String) throws {
        let sent = withSocketAddress(devicePath) { sendto(descriptor, word, word.utf8.count, 0, $0, $1) }
        guard sent == word.utf8.count else { throw Broken("panel: \(String(cString: strerror(errno)))") }
    }

    /// Waits for the next change of the lamp that is wanted.
    func lamp(_ wanted: @escaping @Sendable (Lamp) -> Bool) async throws -> Lamp {
        let descriptor = descriptor
        return try await onOwnThread {
            while true {
                var bytes = [UInt8](repeating: 0, count: 128)
                let count = recv(descriptor, &bytes, bytes.count, 0)
                guard count > 0 else { throw Broken("panel: the lamp does not change") }
                let words = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ")
                guard words.count == 3, words[0] == "lamp", ["on", "off"].contains(words[1]),
                    let nanoseconds = Int64(words[2])
                else { throw Broken("panel: \(words)") }
                let lamp = Lamp(isOn: words[1] == "on", nanoseconds: nanoseconds)
                if wanted(lamp) { return lamp }
            }
        }
    }

    /// Nanoseconds of the clock that stamps the lamp.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

func withSocketAddress<R>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
