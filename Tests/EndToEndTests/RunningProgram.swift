import Foundation
import Synchronization
import TestSupport
import Wire

/// A program while it runs, most often one of the built ones. It is killed with its last reference.
///
/// Standard output and error go to files in a folder that a `Watch` can look at; the end is a file, too.
final class RunningProgram: Sendable {
    /// How it ended: its exit code, or the signal that ended it.
    enum End: Equatable, Sendable {
        case exit(Int32)
        case signal(Int32)
    }

    let pid: pid_t
    private let files: String
    private let ended: Ended

    var output: String { contents(files + ".out") }
    var errors: String { contents(files + ".err") }
    var end: End? { ended.value }

    /// - Parameters:
    ///   - program: one of ours by its name, or any by its path.
    ///   - folder: gets the files; `name` is free text, part of their names.
    ///   - environment: `NAME=value`, beside what every program gets.
    init(
        _ program: String, _ arguments: [String], folder: String, name: String,
        environment extra: [String] = []
    ) throws {
        files = "\(folder)/\(UUID().uuidString.prefix(8))-\(name)"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (descriptor, ending) in [(Int32(1), ".out"), (2, ".err")] {
            posix_spawn_file_actions_addopen(&actions, descriptor, files + ending, O_WRONLY | O_CREAT, 0o600)
        }
        // What other tests of this process have open is not the program's. Closing twice is no error here.
        for descriptor in folderEntries("/proc/self/fd").compactMap({ Int32($0) }) where descriptor > 2 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        // A test program's thread may have signals blocked or ignored; the program starts with none.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let path = program.hasPrefix("/") ? program : buildFolder + "/" + program
        var child: pid_t = 0
        let code = withCStrings([path] + arguments) { words in
            withCStrings(Self.environment + extra) { environment in
                posix_spawn(&child, path, &actions, &attributes, words, environment)
            }
        }
        guard code == 0 else { throw Broken("\(path) cannot be started: \(String(cString: strerror(code)))") }
        pid = child
        ended = Ended(child, file: files + ".end")
    }

    deinit { ended.send(SIGKILL, to: pid) }

    func send(_ signal: Int32) { ended.send(signal, to: pid) }

    /// Waits until it has ended by itself.
    func finished(within seconds: Int = 300) async throws -> Finished {
        guard let end = await ended.wait(seconds: seconds) else {
            throw Broken("it still runs after \(seconds) s; it says:\n\(output)\(errors)")
        }
        return Finished(end: end, output: output, errors: errors)
    }

    /// What systemd, a desktop or a user would have set must not change a test.
    private static let environment: [String] = {
        let foreign = ["NOTIFY_SOCKET", "JOURNAL_STREAM", "STATE_DIRECTORY", "WATCHDOG_USEC", "LISTEN_FDS"]
        return ProcessInfo.processInfo.environment.filter {
            !foreign.contains($0.key) && !$0.key.hasPrefix("ALSA")
        }
        .map { "\($0.key)=\($0.value)" }
    }()
}

/// A program that ran to its end.
struct Finished: Sendable {
    let end: RunningProgram.End
    let output: String
    let errors: String

    /// Its exit code; negative when a signal ended it.
    var status: Int32 {
        switch end {
        case .exit(let code): code
        case .signal(let number): -number
        }
    }

    /// Each line of the output as JSON.
    func json() throws -> [JSON] {
        try output.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
    }

    /// The lines on standard error.
    var sentences: [Substring] { errors.split(separator: "\n") }
}

/// Why a test cannot go on.
struct Broken: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Runs `body` on a thread of its own, so that waiting there holds up no other test.
func onOwnThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}

/// All bytes of a file.
func bytes(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) }

/// A file as text, read to its end also where the kernel tells no size; empty when there is none.
func contents(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 64 << 10)
    while true {
        let count = read(file, &block, block.count)
        if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
        bytes += block[..<count]
    }
}

/// Learns of a child's end on a thread of its own.
private final class Ended: Sendable {
    private let state = Mutex<RunningProgram.End?>(nil)
    private let signal = DispatchSemaphore(value: 0)

    var value: RunningProgram.End? { state.withLock { $0 } }

    /// Those that run. The tests' process may exit before the last reference to a program goes.
    private static let running = Mutex<[pid_t: Ended]>([:])
    private static let killedAtExit: Void = {
        atexit { for (child, ended) in Ended.running.withLock({ $0 }) { ended.send(SIGKILL, to: child) } }
    }()

    init(_ child: pid_t, file: String) {
        Self.killedAtExit
        Self.running.withLock { $0[child] = self }
        Thread { [self] in
            var information = siginfo_t()
            while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) == -1 && errno == EINTR {}
            state.withLock { end in
                var status: Int32 = 0
                waitpid(child, &status, 0)
                // wait(2): the low 7 bits are the signal that ended it, the next byte is its exit code.
                end = status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
                _ = Self.running.withLock { $0.removeValue(forKey: child) }
            }
            signal.signal()
            _ = FileManager.default.createFile(atPath: file, contents: nil)
        }.start()
    }

    /// Under the lock, so that the number is still the child's.
    func send(_ signal: Int32, to child: pid_t) { state.withLock { if $0 == nil { kill(child, signal) } } }

    func wait(seconds: Int) async -> RunningProgram.End? {
        try? await onOwnThread { [self] in
            if self.signal.wait(timeout: .now() + .seconds(seconds)) == .success { self.signal.signal() }
            return value
        }
    }
}

/// Strings as C's null-terminated list of strings, for the length of `body`.
private func withCStrings<R>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
    var list = strings.map { strdup($0) } + [nil]
    defer { for string in list { free(string) } }
    return list.withUnsafeMutableBufferPointer { body(sure($0.baseAddress)) }
}
