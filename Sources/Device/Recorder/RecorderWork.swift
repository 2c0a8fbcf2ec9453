import AudioFiles
import DeviceMachine
import Glibc
import Hardware
import Outbox
import Sealing
import Threads
import Turn
import Wire

/// The recorder's own state: the file that takes frames.
struct RecorderWork {
    private struct Running {
        let id: UtteranceID
        let file: OutboxRecording
        let encoder: AudioEncoder
        var frames = 0
        var syncedAt: Duration
        /// Where its samples begin.
        let start: AudioQueue.Mark
        /// The card took no more; what still comes is dropped.
        var isFull = false
        /// That the card is full was told: the turn ends.
        var fullIsTold = false
        let head: Manifest
    }

    private let outbox: Outbox
    private let ledger: Ledger
    private let queue: AudioQueue
    private let form: RecordingForm
    /// Whom the next recording is sealed to; empty: it is stored in the clear.
    private let recipients: () throws -> [AgeRecipient]
    private let report: @Sendable (RecorderEvent) -> Void
    /// Takes what is over.
    private let keep: (KeeperOrder) -> Void
    private var running: Running?

    init(
        outbox: Outbox, ledger: Ledger, queue: AudioQueue, form: RecordingForm,
        recipients: @escaping () throws -> [AgeRecipient],
        report: @escaping @Sendable (RecorderEvent) -> Void, keep: @escaping (KeeperOrder) -> Void
    ) {
        self.outbox = outbox
        self.ledger = ledger
        self.queue = queue
        self.form = form
        self.recipients = recipients
        self.report = report
        self.keep = keep
    }

    /// `mark`: where the stream of samples stood when the order was given.
    mutating func serve(_ order: Recorder.Order, at mark: AudioQueue.Mark) {
        switch order {
        case .begin(let id, let press): begin(id, press, from: mark)
        case .finish(let id, let facts): finish(id, facts, to: mark)
        case .commit(let id): keep(.commit(id))
        case .discard(let id): keep(.discard(id))
        case .checkRoom: keep(.checkRoom)
        case .syncJournal: keep(.syncJournal)
        case .end: preconditionFailure("the thread ends before it serves `end`")
        }
    }

    private mutating func begin(_ id: UtteranceID, _ press: Duration, from start: AudioQueue.Mark) {
        let name = name(of: id)
        do {
            let head = form.head(name, press: press)
            let file = try outbox.begin(
                name: name, format: form.format.rawValue, head: head, recipients: recipients())
            do {
                let encoder = try AudioEncoder(
                    format: form.format, rate: form.rate, channels: form.channels,
                    bitrate: form.bitrate * 1000, sink: RecordingSink(file))
                running = Running(
                    id: id, file: file, encoder: encoder, syncedAt: MonotonicClock.now, start: start,
                    head: head)
            } catch {
                try? file.discard()  // there is no sound in it; what stays of it, start-up removes
                throw error
            }
        } catch { fail(id, error) }
    }

    /// The next sequence number is taken here, where waiting for the card is allowed, and not at the press; the queue
    /// holds what is captured meanwhile. When the card gives none, the name has number zero: the utterance matters more
    /// than its place in the order.
    private func name(of id: UtteranceID) -> ItemName {
        guard let name = (try? outbox.reserveName(id: id.rawValue)) ?? ItemName(seq: 0, id: id.rawValue)
        else {
            preconditionFailure("an utterance's id is 32 random digits")
        }
        return name
    }

    /// Encodes what was captured before `limit`, and syncs.
    mutating func takeFrames(upTo limit: Int, now: Duration = MonotonicClock.now) {
        guard running != nil else { return queue.discard(upTo: limit) }
        do {
            try encodeWaiting(upTo: limit)
        } catch { return fail(running?.id, error) }
        // An order may come right behind a ring: that is no new second.
        guard let running, now - running.syncedAt >= .milliseconds(500) else { return }
        // A card that does not sync is told of when the file is kept: finishing copies it. One that has no room for the
        // last seconds' journal is full: what would go on could not be kept second by second.
        // Until then what still comes is taken, as far as its own room goes.
        do { try running.file.sync() } catch { if isCardFull(error) { tellFull(at: now) } }
        try? ledger.sync()
        self.running?.syncedAt = now
    }

    /// A full card keeps what is there; any other failure is thrown.
    private mutating func encodeWaiting(upTo limit: Int) throws {
        guard let running else { return }
        // Silence that stands for samples of an earlier recording may come late.
        queue.discard(upTo: min(running.start.position, limit))
        guard !running.isFull else { return queue.discard(upTo: limit) }
        let channels = form.channels
        var frames = 0
        do {
            try queue.drain(upTo: limit) { piece throws in
                try running.encoder.write(piece)
                frames += piece.count / channels
            }
        } catch  where isCardFull(error) {
            self.running?.isFull = true
            tellFull(at: MonotonicClock.now)
        }
        self.running?.frames += frames
    }

    private mutating func tellFull(at now: Duration) {
        guard let running, !running.fullIsTold else { return }
        self.running?.fullIsTold = true
        report(.full(running.id, at: now))
    }

    /// The silence that is still owed at the end, so that the file is as long as the capture.
    private mutating func encodeOwed(upTo end: Int) throws {
        guard let running, !running.isFull else { return }
        var owed = end - max(queue.readPosition, running.start.position)
        let silence = [Int16](repeating: 0, count: min(owed, 4096 * form.channels))
        do {
            while owed > 0 {
                let count = min(owed, silence.count)
                try silence.withUnsafeBufferPointer {
                    try running.encoder.write(UnsafeBufferPointer(rebasing: $0[..<count]))
                }
                owed -= count
                self.running?.frames += count / form.channels
            }
        } catch  where isCardFull(error) { self.running?.isFull = true }
    }

    private mutating func finish(_ id: UtteranceID, _ facts: TakeFacts, to end: AudioQueue.Mark) {
        guard running?.id == id else { return }  // its file failed, and that was told
        do {
            try encodeWaiting(upTo: end.position)
            try encodeOwed(upTo: end.position)
            do { try running?.encoder.finish() } catch  where isCardFull(error) { running?.isFull = true }
            guard let running else { return }
            let dropped = (end.dropped - running.start.dropped) / form.channels
            let head = running.head
            // What a full card refused was encoded all the same.
            let frames = running.isFull ? running.encoder.framesInFile : running.frames
            self.running = nil
            keep(
                .finish(
                    FinishedSound(id: id, file: running.file) { bytes, sha256 in
                        var manifest = head
                        manifest.complete(
                            with: facts, frames: frames, dropped: dropped, bytes: bytes, sha256: sha256)
                        return manifest
                    }))
        } catch { fail(id, error) }
    }

    /// What is there of the running recording waits as after a crash, if it is that one.
    private mutating func fail(_ id: UtteranceID?, _ error: any Error) {
        guard let id else { return }
        let left = running?.id == id ? running?.file : nil
        if left != nil { running = nil }
        report(.failed(id, error, leaving: left))
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

    var patchable: Bool { !file.sealed }

    func append(_ bytes: UnsafeRawBufferPointer) throws { try file.append(bytes) }

    func overwrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        try file.overwrite(bytes, at: offset)
    }
}
