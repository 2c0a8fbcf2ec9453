import AudioFiles
import Foundation
import Sealing
import Synchronization
import TestSupport
import Wire

/// A test's own world: a folder, a host that can be stopped and started again, devices.
final class Study: Sendable {
    let folder = TemporaryFolder()
    let logs: String
    private let loopback = Loopback.next()
    private let state = Mutex<(host: RunningProgram?, port: Int)>((nil, 0))

    var hostFolder: String { folder.file("host") }
    /// The file that `wav` writes when it is given no other name.
    var microphone: String { folder.file("microphone.wav") }
    var watch: Watch { Watch(root: folder.path) }

    /// Without a host.
    init() throws {
        logs = folder.file("logs")
        try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: true)
    }

    /// With a host that listens.
    static func withHost() async throws -> Study {
        let study = try Study()
        try await study.startHost()
        return study
    }

    /// Starts a program that goes on.
    func start(
        _ program: String, _ arguments: [String], environment: [String] = []
    ) throws -> RunningProgram {
        try RunningProgram(program, arguments, folder: logs, name: program, environment: environment)
    }

    /// Runs a program to its end.
    func run(_ program: String, _ arguments: [String]) async throws -> Finished {
        try await start(program, arguments).finished()
    }

    // MARK: host

    /// Returns when it listens: at its first start on a free port, then on the same again.
    @discardableResult
    func startHost() async throws -> RunningProgram {
        let port = state.withLock { $0.port }
        let host = try start(
            "lapel-host", ["serve", "--dir", hostFolder, "--listen", "\(loopback):\(port)", "--json"])
        let address = try await watch.until("the host listens") {
            if host.end != nil { throw Broken("the host ended: \(host.errors)") }
            return try events(host).first { $0["event"]?.string == "listening" }?["address"]?.string
        }
        state.withLock { $0 = (host, Int(address.split(separator: ":").last ?? "") ?? 0) }
        return host
    }

    /// Ends the host by a signal and waits for its end.
    func endHost(_ signal: Int32) async throws {
        guard let host = state.withLock({ $0.host }) else { return }
        host.send(signal)
        _ = try await host.finished()
    }

    /// What the running host reported, in its order.
    func hostEvents() throws -> [JSON] { try state.withLock { $0.host }.map(events) ?? [] }

    func host(_ arguments: String...) async throws -> Finished {
        try await run("lapel-host", arguments + ["--dir", hostFolder])
    }

    /// `lapel-lab` on the host's folder.
    func lab(_ arguments: String...) async throws -> Finished {
        try await run("lapel-lab", arguments + ["--dir", hostFolder])
    }

    /// All utterances, oldest first, as `lapel-host list` tells them.
    func utterances() async throws -> [JSON] {
        let listed = try await host("list", "--json")
        guard let all = try listed.json().first?.elements else { throw Broken("list: \(listed.errors)") }
        return all
    }

    /// The one recording that the host has, decoded.
    func onlyRecording() async throws -> PCM {
        let utterances = try await utterances()
        guard let path = utterances.first?["file"]?.string, utterances.count == 1 else {
            throw Broken("not one recording: \(utterances)")
        }
        return try recording(path)
    }

    /// A recording of the host's store, opened with the host's keys and decoded.
    func recording(_ path: String) throws -> PCM {
        guard path.hasSuffix(".age") else { return try AudioFile.read(path) }
        let opened = folder.file("opened-\(UUID().uuidString.prefix(8))")
        try Data(try AgeOpener.open(bytes(path), with: hostKeys())).write(to: URL(fileURLWithPath: opened))
        return try AudioFile.read(opened)
    }

    /// The keys that the host holds.
    func hostKeys() throws -> [AgeIdentity] {
        let keys = hostFolder + "/keys/"
        return try folderEntries(keys).flatMap { try AgeIdentity.parse(file: bytes(keys + $0)) }
    }

    /// Waits until the running host has reported so many whole utterances.
    func untilStored(_ count: Int) async throws {
        try await watch.until("\(count) utterances are stored") { [self] in
            try hostEvents().filter { $0["whole"]?.bool == true }.count >= count ? true : nil
        }
    }

    /// A new one-time URL.
    func pairingURL() async throws -> String {
        let printed = try await host("pair", "--json")
        guard let url = try printed.json().first?["url"]?.string else {
            throw Broken("pair: \(printed.errors)")
        }
        return url
    }

    // MARK: devices

    func device(_ name: String = "device") -> Device { Device(study: self, path: folder.file(name)) }

    func pairedDevice(_ name: String = "device") async throws -> Device {
        let device = device(name)
        let paired = try await device.pair(try await pairingURL())
        guard paired.status == 0 else { throw Broken("pair: \(paired.errors)") }
        return device
    }

    /// The path of a WAV file made of a sound.
    func wav(_ sound: Sound, _ name: String = "microphone.wav", bits: Int = 16, channels: Int = 1) throws
        -> String
    {
        try folder.write(name, sound.wav(bits: bits, channels: channels))
    }
}

/// The whole lines a program has written so far.
private func events(_ program: RunningProgram) throws -> [JSON] {
    let output = program.output
    let whole = output.prefix(upTo: output.lastIndex(of: "\n") ?? output.startIndex)
    return try whole.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
}

/// An address of this machine's own network for each study: a host that is started again finds its port free.
private enum Loopback {
    private static let count = Atomic<Int>(Int(getpid()) * 97)

    static func next() -> String {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        return "127.\(1 + (number >> 16) & 0x7F).\((number >> 8) & 0xFF).\(number & 0xFF)"
    }
}
