import Foundation
import TestSupport
import Testing

/// What systemd is told, at a socket of its protocol (`sd_notify(3)`), and how a service looks in `/proc`.
@Suite struct ServiceTests {
    /// 15 MB less for 500 devices (`board/bench ring`); and whoever looks for it finds it by its own name.
    @Test func aServingHostKeepsNoCacheForEachThread() async throws {
        let study = try Study()
        let pid = try await study.startHost().pid
        let environment = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(pid)/environ"))
        let tunable = Data("GLIBC_TUNABLES=glibc.malloc.tcache_count=0".utf8)
        #expect(environment.split(separator: 0).contains(tunable))
        #expect(try String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8) == "lapel-host\n")
    }

    /// As `cross/machine` does: the loader is no program to start again.
    @Test func aHostThatIsRunByTheLoaderServes() async throws {
        #if arch(arm64)
            let loader = "/lib/ld-linux-aarch64.so.1"
        #else
            let loader = "/lib64/ld-linux-x86-64.so.2"
        #endif
        let study = try Study()
        let program = buildFolder + "/lapel-host"
        let host = try RunningProgram(
            loader, [program, "serve", "--dir", study.hostFolder, "--listen", "127.0.0.1:0", "--json"],
            folder: study.logs, name: "loaded-host")
        _ = try await study.watch.until("the host listens") {
            if host.end != nil { throw Broken("the host ended: \(host.errors)") }
            return host.output.contains("\"listening\"") ? true : nil
        }
        host.send(SIGTERM)
        #expect(try await host.finished().end == .exit(0))
    }

    @Test func systemdIsToldWhenTheDeviceIsReadyAliveAndStopping() async throws {
        let study = try Study()
        let systemd = try NotifySocket(path: study.folder.file("notify"))
        let device = study.device("wrist")
        let running = try await device.start(
            try study.wav(.phrase()), environment: ["NOTIFY_SOCKET=\(systemd.path)", "WATCHDOG_USEC=200000"])
        #expect(try await systemd.next() == "READY=1")
        #expect(try await systemd.next() == "WATCHDOG=1")
        #expect(try await systemd.next() == "WATCHDOG=1")
        running.program.send(SIGTERM)
        // Read on, as systemd does: a socket that nobody empties makes the program wait.
        var last = try await systemd.next()
        while last == "WATCHDOG=1" { last = try await systemd.next() }
        #expect(last == "STOPPING=1")
        _ = try await running.program.finished()
    }
}

/// The service manager's end.
private final class NotifySocket: Sendable {
    let path: String
    private let descriptor: Int32

    init(path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let descriptor = descriptor
        guard withSocketAddress(path, { bind(descriptor, $0, $1) }) == 0 else {
            throw Broken("no notify socket")
        }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Waits for what the program says next.
    func next() async throws -> String {
        let descriptor = descriptor
        return try await onOwnThread {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { throw Broken("the service manager is told nothing") }
            return String(decoding: bytes[..<count], as: UTF8.self)
        }
    }
}
