import AudioFiles
import Glibc
import Hardware
import Outbox
import Threads
import Turn
import Wire

/// The recorder's own state: the file that takes frames, and the finished ones that wait to be committed.
struct RecorderWork {
    private struct Running {
        let id: UtteranceID
        let file: OutboxRecording
        let encoder: AudioEncoder
        var frames = 0
        var syncedAt: Duration
        /// What the queue had dropped before this recording.
        let droppedBefore: Int
        let head: Manifest
    }

    private let outbox: Outbox
    private let ledger: Ledger
    private let queue: AudioQueue
    private let form: RecordingForm
    private let report: @Sendable (RecorderEvent) -> Void
    private var running: Running?
    private var finished: [UtteranceID: OutboxRecording] = [:]

    init(
        outbox: Outbox, ledger: Ledger, queue: AudioQueue, form: RecordingForm,
        report: @escaping @Sendable (RecorderEvent) -> Void
    ) {
        self.outbox = outbox
        self.ledger = ledger
        self.queue = queue
        self.form = form
        self.report = report
    }

    mutating func serve(_ order: Recorder.Order) {
        switch order {
        case .begin(let id, let name, let press): begin(id, name, press)
        case .finish(let id, let facts): finish(id, facts)
        case .commit(let id): commit(id)
        case .discard(let id): discard(id)
        case .checkRoom: reportRoom()
        case .end: preconditionFailure("the thread ends before it serves `end`")
        }
    }

    private mutating func begin(_ id: UtteranceID, _ name: ItemName, _ press: Duration) {
        do {
            let head = form.head(name, press: press)
            let file = try outbox.begin(name: name, format: form.format.rawValue, head: head)
            let encoder = try AudioEncoder(
                format: form.format, rate: form.rate, channels: form.channels, bitrate: form.bitrate * 1000,
                sink: RecordingSink(file))
            running = Running(
                id: id, file: file, encoder: encoder, syncedAt: MonotonicClock.now,
                droppedBefore: queue.droppedSamples, head: head)
        } catch { fail(id, error) }
    }

    /// Encodes what waits in the queue, and syncs once a second.
    mutating func takeFrames() {
        guard running != nil else { return queue.discardAll() }
        do {
            try encodeWaiting()
            let now = MonotonicClock.now
            guard let running, now - running.syncedAt >= .seconds(1) else { return }
            try running.file.sync()
            try ledger.sync()
            self.running?.syncedAt = now
        } catch { stopTaking(error) }
    }

    private mutating func encodeWaiting() throws {
        guard let encoder = running?.encoder else { return }
        var samples = 0
        try queue.drain { piece throws in
            try encoder.write(piece)
            samples += piece.count
        }
        running?.frames += samples / form.channels
    }

    /// The card took no more in the middle. A full card keeps what is there, and so does a failing one.
    private mutating func stopTaking(_ error: any Error) {
        guard let running else { return }
        if isCardFull(error) {
            report(.full(running.id, at: MonotonicClock.now))
        } else {
            fail(running.id, error)
            self.running = nil
        }
        queue.discardAll()
    }

    private mutating func finish(_ id: UtteranceID, _ facts: TakeFacts) {
        guard running?.id == id else { return }  // its file failed, and that was told
        do {
            do { try encodeWaiting() } catch  where isCardFull(error) { queue.discardAll() }
            guard let running else { return }
            do { try running.encoder.finish() } catch  where isCardFull(error) {}
            let dropped = (queue.droppedSamples - running.droppedBefore) / form.channels
            try running.file.finish { bytes, sha256 in
                var manifest = running.head
                manifest.complete(
                    with: facts, frames: running.frames, dropped: dropped, bytes: bytes, sha256: sha256)
                return manifest
            }
            try ledger.sync()
            finished[id] = running.file
            self.running = nil
            report(.finished(id, at: MonotonicClock.now))
        } catch { fail(id, error) }
    }

    private mutating func commit(_ id: UtteranceID) {
        guard let file = finished.removeValue(forKey: id) else { return }
        do {
            _ = try file.commit()
            report(.kept(id, at: MonotonicClock.now))
        } catch { fail(id, error) }
        reportRoom()
    }

    private mutating func discard(_ id: UtteranceID) {
        guard let file = finished.removeValue(forKey: id) else { return }
        do {
            try file.discard()
            report(.discarded(id, at: MonotonicClock.now))
        } catch { fail(id, error) }
        reportRoom()
    }

    private func reportRoom() {
        do {
            switch try outbox.room() {
            case .available: report(.room(refusal: nil))
            case .refused(let refusal): report(.room(refusal: refusal.description))
            }
        } catch { report(.room(refusal: error.description)) }
    }

    private mutating func fail(_ id: UtteranceID, _ error: any Error) {
        if running?.id == id { running = nil }
        report(.failed(id, reason: "\(error)", at: MonotonicClock.now))
    }

    private func isCardFull(_ error: any Error) -> Bool {
        guard let error = error as? OutboxError else { return false }
        switch error {
        case .cardFull, .refused: return true
        case .inUse, .cardFailing, .file, .namesExhausted, .exportIncomplete: return false
        }
    }
}

/// Lets an encoder write into an outbox file.
private final class RecordingSink: ByteSink {
    private let file: OutboxRecording

    init(_ file: OutboxRecording) { self.file = file }

    func append(_ bytes: UnsafeRawBufferPointer) throws { try file.append(bytes) }

    func overwrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        try file.overwrite(bytes, at: offset)
    }
}
