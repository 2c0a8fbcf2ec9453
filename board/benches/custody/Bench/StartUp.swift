import DurableFiles
import Outbox
import Sealing
import Wire

/// Puts short sealed utterances into the outbox, without waiting for the card.
func fill(_ directory: String, utterances: Int) throws {
    let count = CallCount(skippingSyncs: true)
    let outbox = try outbox(directory, count.calls)
    let key = AgeIdentity.generate().recipient
    let sound = [UInt8](repeating: 0x55, count: 3_000)
    for _ in 0..<utterances {
        let recording = try outbox.begin(format: "opus", recipients: [key]) { manifest($0, seconds: 0) }
        try sound.withUnsafeBytes { try recording.append($0) }
        try recording.finish { bytes, sha256 in
            manifest(recording.name, seconds: 1, bytes: bytes, sha256: sha256)
        }
        _ = try recording.commit()
    }
    report(["waiting": outbox.counts().waiting])
}

/// How long the outbox takes to be ready, and what it holds in memory then.
func start(_ directory: String) throws {
    let before = residentKilobytes
    var waiting = 0
    let taken = try stopwatch {
        let outbox = try outbox(directory, .system)
        waiting = outbox.counts().waiting
    }
    report(["seconds": taken, "waiting": waiting, "kb": residentKilobytes - before])
}
