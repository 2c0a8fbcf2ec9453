import DurableFiles
import Foundation
import Outbox
import Sealing
import TestSupport
import Wire

/// "Sound" that is easy to check: `HEAD`, then one byte per frame.
enum FakeSound {
    struct Undecodable: Error, CustomStringConvertible { var description: String { "no sound in it" } }

    static let head = Array("HEAD".utf8)
    static let salvage: Salvage = { path, _ in
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        if bytes.isEmpty || bytes == head { return .nothing }
        guard bytes.starts(with: head) else { throw Undecodable() }
        return .audio(frames: bytes.count - head.count, rate: 16_000, channels: 1)
    }
}

/// An outbox in a folder of its own, which can be opened again and again.
struct Fixture {
    let folder: TemporaryFolder
    var limits = Limits(maxBytes: 1 << 30, reserveFraction: 0, headroomPerRecording: 1 << 20)

    init(inMemory: Bool = false) { folder = TemporaryFolder(inMemory: inMemory) }

    var directory: String { folder.file("outbox") }

    func open(_ calls: FileCalls = .system) throws -> Outbox {
        try Outbox(directory: directory, limits: limits, calls: calls, salvage: FakeSound.salvage)
    }

    /// The same outbox in another folder: what a dead process left, once more.
    func copied() throws -> Fixture {
        let copy = Fixture(inMemory: true)
        try FileManager.default.copyItem(atPath: directory, toPath: copy.directory)
        return copy
    }

    /// Files in one of its folders.
    func files(_ place: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(directory)/\(place)").sorted()
    }

    /// Puts a file where a crash could have left it.
    func put(_ file: String, _ bytes: [UInt8]) throws {
        for place in ["rec", "out", "parked", "sent"] {
            try FileManager.default.createDirectory(
                atPath: "\(directory)/\(place)", withIntermediateDirectories: true)
        }
        try Data(bytes).write(to: URL(fileURLWithPath: "\(directory)/\(file)"))
    }
}

func headManifest(_ name: ItemName, bytes: Int = 0, sha256: String = "") -> Manifest {
    var manifest = Manifest(
        utterance: name.id, seq: name.seq, start: .init(monotonic: 1, boot: 2, wall: 3), format: "opus",
        rate: 16_000, channels: 1)
    manifest.bytes = bytes
    manifest.sha256 = sha256
    manifest.mode = "press"
    return manifest
}

func content(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

extension OutboxRecording {
    func append(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try append($0) } }

    /// `HEAD` and so many frames.
    func say(_ frames: Int) throws { try append(FakeSound.head + [UInt8](repeating: 7, count: frames)) }

    func finish() throws {
        let name = name
        try finish { bytes, sha256 in headManifest(name, bytes: bytes, sha256: sha256) }
    }
}

extension Outbox {
    func begin(_ seal: Seal = .off) throws -> OutboxRecording {
        try begin(format: "opus", recipients: seal.recipients) { headManifest($0) }
    }

    /// A finished, committed utterance.
    @discardableResult
    func keep(frames: Int = 100, _ seal: Seal = .off) throws -> OutboxItem {
        let recording = try begin(seal)
        try recording.say(frames)
        try recording.finish()
        return try recording.commit()
    }

    /// Whether everything that waits is whole: its manifest is right about its audio. Of what a crash left sealed, that
    /// its manifest is the one of the press.
    func everythingIsWhole() throws -> Bool {
        try waiting().allSatisfy { item in
            let manifest = try Manifest(parsing: opened(item.manifestPath, item.sealed))
            let audio = try content(item.audioPath)
            guard manifest.utterance == item.name.id, item.audioBytes == audio.count else { return false }
            let note = try sealedNote(of: item)
            if item.isSealedPart {
                return try note?.audio == .part && manifest.sha256.isEmpty && sound(of: item).count > 0
            }
            if item.sealed {
                let whole = SealedNote.Audio.whole(sha256: SHA256.digest(of: audio), bytes: audio.count)
                _ = try AgeOpener.open(audio, with: [Seal.key])
                guard note?.audio == whole else { return false }
            }
            return manifest.sha256 == SHA256.digest(of: audio).hex && manifest.bytes == audio.count
        }
    }
}
