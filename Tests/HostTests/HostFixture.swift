import AudioFiles
import Foundation
import Host
import Inbox
import Lab
import LocalInbox
import Sealing
import Synchronization
import Terminal
import TestSupport
import Wire

/// A host's folder, filled by hand, and commands run on it in this process.
final class HostFixture: Sendable {
    let folder = TemporaryFolder()
    let inbox: Inbox

    struct Output {
        let code: Int32
        let out: String
        let log: String

        func json() throws -> JSON { try JSON(parsing: Array(out.utf8)) }
    }

    init() throws { inbox = try Inbox(folder: folder.path) }

    /// Runs a command on the folder.
    func run(_ arguments: String...) -> Output { HostFixture.run(arguments + ["--dir", folder.path]) }

    /// Runs a command of `lapel-lab` on the folder.
    func lab(_ arguments: String...) -> Output {
        HostFixture.run(arguments + ["--dir", folder.path], by: LabProgram.run)
    }

    static func run(
        _ arguments: [String], columns: Int = 80,
        by program: ([String], Console) -> Int32 = { HostProgram.run($0, console: $1) }
    ) -> Output {
        let lines = Lines()
        let code = program(
            arguments,
            Console(
                out: { line in lines.out.withLock { $0.append(line) } },
                log: { line in lines.log.withLock { $0.append(line) } }, columns: columns))
        return Output(
            code: code, out: lines.out.withLock { $0.joined(separator: "\n") },
            log: lines.log.withLock { $0.joined(separator: "\n") })
    }

    private final class Lines: Sendable {
        let out = Mutex<[String]>([])
        let log = Mutex<[String]>([])
    }

    static let boot = "6f1c6d6e-0000-4000-8000-000000000000"
    static let pin = String(repeating: "5a", count: 32)

    /// Stores an utterance of `samples` at 16 kHz as WAV with its manifest; returns its id.
    @discardableResult
    func store(_ samples: [Int16], seq: UInt64 = 1, id: String = HostFixture.id(1)) throws -> String {
        let wav = WAVBytes.make(samples, rate: 16_000)
        var manifest = manifest(id, seq: seq, format: "wav")
        manifest.sha256 = SHA256.digest(of: wav).hex
        manifest.bytes = wav.count
        manifest.frames = samples.count
        manifest.end = manifest.start
        manifest.endReason = "hangover"
        manifest.speechSeconds = 1.2
        manifest.readings = (0..<40).map { .init(dbfs: (5..<20).contains($0) ? -20 : -70, marks: 0) }
        try receive(id, .manifest, manifest.encoded(), seq, "json")
        try receive(id, .audio, wav, seq, "wav")
        return id
    }

    /// What is known at the press.
    func manifest(_ id: String, seq: UInt64 = 1, format: String) -> Manifest {
        let stamp = Manifest.Stamp(monotonic: 0, boot: 0, wall: 1_750_000_000_000_000_000)
        var manifest = Manifest(
            utterance: id, seq: seq, start: stamp, format: format, rate: 16_000, channels: 1)
        manifest.bootID = HostFixture.boot
        return manifest
    }

    func receive(
        _ id: String, _ kind: UploadKind, _ bytes: [UInt8], _ seq: UInt64, _ ext: String,
        into other: Inbox? = nil
    ) throws {
        let inbox = other ?? inbox
        let (upload, _) = try inbox.create(
            NewUpload(
                utterance: id, kind: kind, seq: seq, length: bytes.count,
                sha256: SHA256.digest(of: bytes).hex, ext: ext,
                device: HostFixture.pin))
        let writer = try inbox.writer(upload.id, from: 0)
        try bytes.withUnsafeBytes { try writer.write($0) }
        _ = try inbox.finish(upload.id)
    }

    static func id(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return digits + String(repeating: "0", count: 32 - digits.utf8.count)
    }
}
