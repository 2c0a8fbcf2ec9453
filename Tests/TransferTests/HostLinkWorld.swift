import Foundation
import Identity
import Synchronization
import TestSupport
import Testing
import Threads
import Wire

@testable import HostLink

/// A device's credentials and a host's key, for requests of all kinds to a scripted host over real TLS.
struct HostLinkWorld {
    let folder = TemporaryFolder()
    let hostIdentity: Identity

    init() throws {
        _ = try Identity.loadOrMake(folder: folder.path, name: "device") { path, bytes in
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        }
        hostIdentity = try Identity.make(name: "host")
    }

    func host(_ script: @escaping (Int, ScriptedHost.Asked) -> ScriptedHost.Reply) -> ScriptedHost {
        ScriptedHost(hostIdentity, script: script)
    }

    var peer: Peer { .pinned(hostIdentity.pin, Credentials(folder: folder.path)) }

    /// Asks over a connection of its own, and waits by the clock of the machine.
    func ask(_ request: HTTPRequest, _ host: ScriptedHost) throws -> HTTPAnswer {
        let client = try Client(peer)
        return try ask(request, port: host.port, client) { false }
    }

    func ask(
        _ request: HTTPRequest, port: UInt16, _ client: borrowing Client, doorbell: Int32 = -1,
        isStopped: () -> Bool
    ) throws -> HTTPAnswer {
        let place = try #require(HostAddress(host: "127.0.0.1", port: port))
        return try client.exchange(request, at: [place], doorbell: doorbell, isStopped: isStopped).answer
    }

    /// Asks by a clock that only `step` moves: it is called after each round, as fast as they go, and ends the request
    /// by returning true. Returns what the request failed with.
    func failure(
        of request: HTTPRequest, port: UInt16, by clock: StepClock, step: () -> Bool
    ) throws -> HostLinkError? {
        let client = try Client(peer, clock: { clock.now })
        let bell = WakeUp()
        bell.ring()
        do {
            _ = try ask(request, port: port, client, doorbell: bell.descriptor, isStopped: step)
            return nil
        } catch let error as HostLinkError {
            return error
        }
    }

    /// A file that holds these bytes, open to take an answer.
    func file(holding bytes: [UInt8] = []) throws -> (file: AnswerFile, path: String, handle: FileHandle) {
        let path = folder.file("answer-\(UUID())")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        return (try AnswerFile(descriptor: handle.fileDescriptor, path: path), path, handle)
    }
}

/// Time that passes when it is told to.
final class StepClock: Sendable {
    private let time = Mutex(Duration.zero)
    var now: Duration { time.withLock { $0 } }
    func pass(_ span: Duration) { time.withLock { $0 += span } }
}

/// A gate between a test and its host, opened once for each who waits.
final class Gate: Sendable {
    private let count = DispatchSemaphore(value: 0)
    func open() { count.signal() }
    /// False when nobody opens it for a minute.
    func wait() -> Bool { count.wait(timeout: .now() + 60) == .success }
}

func contents(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
