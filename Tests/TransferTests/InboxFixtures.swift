import DurableFiles
import Inbox
import Sealing
import Synchronization
import TestSupport
import Wire

/// Parts of utterances as a device would send them.
struct Part {
    let bytes: [UInt8]
    let new: NewUpload

    /// Audio of `count` bytes that `seed` decides.
    static func audio(_ seed: UInt64, count: Int = 1000, device: String = wrist) -> Part {
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return Part(id(seed), .audio, bytes, seq: seed, ext: "opus", device: device)
    }

    /// The manifest of utterance `seed`, which names `audio`.
    static func manifest(_ seed: UInt64, audio: Part? = nil, kind: Manifest.Kind = .utterance) -> Part {
        let stamp = Manifest.Stamp(monotonic: 1, boot: 5_000_000_000, wall: 1_700_000_000_000_000_000)
        var manifest = Manifest(
            utterance: id(seed), seq: seed, start: stamp, format: "opus", rate: 16_000, channels: 1)
        manifest.kind = kind
        manifest.device = wrist
        manifest.bootID = "boot-of-the-wrist"
        manifest.sha256 = audio?.new.sha256 ?? ""
        manifest.frames = 32_000
        manifest.endReason = "hangover"
        manifest.readings = (0..<20).map { .init(dbfs: $0 < 12 ? -20 : -70, marks: 0) }
        return Part(id(seed), .manifest, manifest.encoded(), seq: seed, ext: "json", device: wrist)
    }

    init(
        _ utterance: String, _ kind: UploadKind, _ bytes: [UInt8], seq: UInt64, ext: String, device: String,
        sha256: String? = nil
    ) {
        self.bytes = bytes
        new = NewUpload(
            utterance: utterance, kind: kind, seq: seq, length: bytes.count,
            sha256: sha256 ?? SHA256.digest(of: bytes).hex, ext: ext, device: device)
    }

    static let wrist = String(repeating: "a1", count: 32)
    static let lapel = String(repeating: "b2", count: 32)

    static func id(_ seed: UInt64) -> String {
        let digits = String(seed, radix: 16)
        return String(repeating: "0", count: 32 - digits.utf8.count) + digits
    }
}

extension Inbox {
    /// Creates, writes and finishes in one go.
    @discardableResult
    func receive(_ part: Part) throws -> Finished {
        let (upload, state) = try create(part.new)
        if case .partial(let offset) = state, offset < part.bytes.count {
            try writer(upload.id, from: offset).write(Array(part.bytes[offset...]))
        }
        return try finish(upload.id)
    }
}

extension UploadWriter {
    func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }
}

/// Watches the calls on files and makes some fail.
final class Watched: Sendable {
    private let state: Mutex<(log: [String], failing: Bool)> = Mutex(([], false))
    private let fails: @Sendable (FileCall, Int) -> Int32?

    /// `fails` sees each call and its number and answers the `errno` it fails with.
    init(fails: @escaping @Sendable (FileCall, Int) -> Int32? = { _, _ in nil }) { self.fails = fails }

    var calls: FileCalls {
        FileCalls { [self] call in
            let number = state.withLock { state in
                state.log.append(call.description)
                return state.log.count - 1
            }
            return fails(call, number).map { .fail($0) }
        }
    }

    var log: [String] { state.withLock { $0.log } }
    func note(_ text: String) { state.withLock { $0.log.append(text) } }
    func clear() { state.withLock { $0.log = [] } }
}

/// Everything in a file.
func readFile(_ path: String) throws -> [UInt8] { try FileCalls.system.contents(path) }

/// A fault that a test turns on and off.
final class Failing: Sendable {
    private let state = Mutex(false)
    var isOn: Bool { state.withLock { $0 } }
    func turn(on: Bool) { state.withLock { $0 = on } }
}
