import AudioFiles
import DurableFiles
import Glibc
import Outbox
import Sealing
import Synchronization
import Wire

/// An encoder's bytes as the recorder hands them on: a list for each second of sound.
final class EncodedSeconds: ByteSink {
    let patchable = false
    private(set) var seconds: [[UInt8]] = [[]]

    func append(_ bytes: UnsafeRawBufferPointer) throws { seconds[seconds.count - 1] += bytes }
    func overwrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        preconditionFailure("an encoder leaves alone what cannot be changed")
    }
    func nextSecond() { seconds.append([]) }

    /// The speech in `wav` again and again, as the device encodes it.
    static func of(_ wav: String, seconds: Int) throws -> [[UInt8]] {
        var samples: [Int16] = []
        var reader = try WAVReader(path: wav)
        while true {
            let more = try reader.read(frames: 16_000)
            if more.isEmpty { break }
            samples += more
        }
        let sink = EncodedSeconds()
        let encoder = try AudioEncoder(format: .opus, rate: 16_000, channels: 1, sink: sink)
        for second in 0..<seconds {
            let start = second * 16_000 % (samples.count - 16_000)
            try samples[start..<(start + 16_000)].withUnsafeBufferPointer { try encoder.write($0) }
            sink.nextSecond()
        }
        try encoder.finish()
        return sink.seconds
    }
}

/// Counts the calls; with `skippingSyncs` none reaches the card.
final class CallCount: Sendable {
    private let counts = Mutex<[FileOperation: Int]>([:])
    let skippingSyncs: Bool

    init(skippingSyncs: Bool) { self.skippingSyncs = skippingSyncs }

    var calls: FileCalls {
        FileCalls(seam: { call in
            self.counts.withLock { $0[call.operation, default: 0] += 1 }
            let isSync = [.sync, .syncData, .syncFolder].contains(call.operation)
            return self.skippingSyncs && isSync ? .skip : nil
        })
    }

    func of(_ operation: FileOperation) -> Int { counts.withLock { $0[operation] ?? 0 } }
    func clear() { counts.withLock { $0 = [:] } }
}

func outbox(_ directory: String, _ calls: FileCalls) throws -> Outbox {
    let limits = Limits(reserveFraction: 0)
    return try Outbox(directory: directory, limits: limits, calls: calls) { _, _ in .nothing }
}

func manifest(_ name: ItemName, seconds: Int, bytes: Int = 0, sha256: String = "") -> Manifest {
    var manifest = Manifest(
        utterance: name.id, seq: name.seq, start: .init(monotonic: 1, boot: 2, wall: 3), format: "opus",
        rate: 16_000, channels: 1)
    manifest.bytes = bytes
    manifest.sha256 = sha256
    manifest.mode = "press"
    // A reading for each 100 ms, as the device writes them.
    if !sha256.isEmpty {
        manifest.readings = (0..<(10 * seconds)).map {
            .init(dbfs: -40.37 + Double($0 % 30), marks: 0, speech: "0123456789ab")
        }
    }
    return manifest
}

/// How a recording meets the card.
enum Pace: String {
    /// A sync for each second of sound, in real time: what a file system does by itself meanwhile counts.
    case paced
    /// A sync for each second of sound, as fast as the card can.
    case synced
    /// No sync reaches the card.
    case unsynced
}

/// Utterances of speech. 0 recipients: in the clear. `device`: the name of the block device below, or `-`.
func record(
    in directory: String, speech: String, seconds: Int, utterances: Int, recipients: Int, pace: Pace,
    device: String
) throws {
    let count = CallCount(skippingSyncs: pace == .unsynced)
    let outbox = try outbox(directory, count.calls)
    let keys = (0..<recipients).map { _ in AgeIdentity.generate().recipient }
    let sound = try EncodedSeconds.of(speech, seconds: seconds)
    // The first one makes what later ones use again: names, a journal.
    _ = try utter(sound.prefix(1), in: outbox, to: keys)
    count.clear()
    let onCard = bytesWritten(to: device)
    let written = ownNumber("io", "wchar:")
    let begun = residentKilobytes
    var halfway = 0
    let taken = try stopwatch {
        for utterance in 0..<utterances {
            if utterance == utterances / 2 { halfway = residentKilobytes }
            _ = try utter(sound[...], in: outbox, to: keys, inRealTime: pace == .paced)
        }
    }
    report([
        "recorded": utterances * sound.reduce(0) { $0 + $1.count },
        "written": ownNumber("io", "wchar:") - written, "on_card": bytesWritten(to: device) - onCard,
        "syncs": count.of(.sync) + count.of(.syncData), "folder_syncs": count.of(.syncFolder),
        "writes": count.of(.write), "seconds": taken, "rss_begin_kb": begun, "rss_half_kb": halfway,
        "rss_end_kb": residentKilobytes,
    ])
}

private func utter(
    _ sound: ArraySlice<[UInt8]>, in outbox: Outbox, to keys: [AgeRecipient], inRealTime: Bool = false
) throws -> OutboxItem {
    var due = ContinuousClock().now
    let seconds = sound.count
    let recording = try outbox.begin(format: "opus", recipients: keys) { manifest($0, seconds: 0) }
    for second in sound {
        // Pages of a fifth of a second, as they come.
        let page = max(1, second.count / 5)
        for start in stride(from: 0, to: second.count, by: page) {
            try second[start..<min(start + page, second.count)].withUnsafeBytes { try recording.append($0) }
        }
        due += .seconds(1)
        if inRealTime { wait(until: due) }
        try recording.sync()
    }
    try recording.finish { bytes, sha256 in
        manifest(recording.name, seconds: seconds, bytes: bytes, sha256: sha256)
    }
    return try recording.commit()
}

private func wait(until due: ContinuousClock.Instant) {
    let left = (due - ContinuousClock().now).components
    if left.seconds < 0 || left.attoseconds < 0 { return }
    usleep(UInt32(left.seconds * 1_000_000 + left.attoseconds / 1_000_000_000_000))
}

/// What a block device has taken so far, everything that waited for it included.
private func bytesWritten(to device: String) -> Int {
    sync()
    guard let stat = try? FileCalls.system.open("/sys/block/\(device)/stat", .read) else { return 0 }
    var text = [UInt8](repeating: 0, count: 256)
    let count = (try? text.withUnsafeMutableBytes { try stat.read(into: $0, at: 0) }) ?? 0
    // The seventh number: sectors of 512 bytes (the kernel's Documentation/block/stat.rst).
    let numbers = text[..<count].split(separator: UInt8(ascii: " ")).map {
        String(decoding: $0, as: UTF8.self)
    }
    return numbers.count > 6 ? 512 * (Int(numbers[6]) ?? 0) : 0
}
