import DeviceMachine
import Outbox
import Threads
import Turn
import Wire

/// What a keeper is told, in the order of the turns.
enum KeeperOrder: Sendable {
    case finish(FinishedSound)
    case commit(UtteranceID)
    case discard(UtteranceID)
    case checkRoom
    case syncJournal
    case end
}

/// A recording that takes no more sound, on its way from the thread that wrote it to the one that keeps it.
///
/// Unchecked: a recording is one thread's at a time, and whoever hands it over does nothing with it any more.
struct FinishedSound: @unchecked Sendable {
    let id: UtteranceID
    let file: OutboxRecording
    let manifest: @Sendable (_ bytes: Int, _ sha256: String) -> Manifest
}

/// The keeper's own state: the finished recordings that wait to be committed or discarded.
struct KeeperWork {
    private let outbox: Outbox
    private let ledger: Ledger
    private let report: @Sendable (RecorderEvent) -> Void
    private var finished: [UtteranceID: OutboxRecording] = [:]

    init(outbox: Outbox, ledger: Ledger, report: @escaping @Sendable (RecorderEvent) -> Void) {
        self.outbox = outbox
        self.ledger = ledger
        self.report = report
    }

    mutating func serve(_ order: KeeperOrder) {
        switch order {
        case .finish(let sound): finish(sound)
        case .commit(let id): commit(id)
        case .discard(let id): discard(id)
        case .checkRoom: reportRoom()
        case .syncJournal: syncJournal()
        case .end: preconditionFailure("the thread ends before it serves `end`")
        }
    }

    private mutating func finish(_ sound: FinishedSound) {
        do {
            // A card may fail once and be well again.
            do { try sound.file.finish(manifest: sound.manifest) } catch {
                try sound.file.finish(manifest: sound.manifest)
            }
            finished[sound.id] = sound.file
            report(.finished(sound.id, at: MonotonicClock.now))
        } catch { report(.failed(sound.id, error, leaving: sound.file)) }
    }

    /// No utterance is lost for a journal that the card does not take.
    private func syncJournal() {
        do { try ledger.sync() } catch {
            report(.journalFailing(reason: error.description, at: MonotonicClock.now))
        }
    }

    private mutating func commit(_ id: UtteranceID) {
        guard let file = finished.removeValue(forKey: id) else { return }
        do {
            _ = try file.commit()
            report(.kept(id, at: MonotonicClock.now))
            if let failure = file.failure {
                report(.cardFailing(id, reason: failure.description, at: MonotonicClock.now))
            }
        } catch { report(.failed(id, error, leaving: file.isCommitted ? nil : file)) }
        reportRoom()
    }

    private mutating func discard(_ id: UtteranceID) {
        guard let file = finished.removeValue(forKey: id) else { return }
        do {
            try file.discard()
            report(.discarded(id, at: MonotonicClock.now))
        } catch { report(.failed(id, error, leaving: nil)) }
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
}

extension RecorderEvent {
    /// What is there of `left` waits as after a crash from now on; blocks while that is salvaged.
    static func failed(_ id: UtteranceID, _ error: any Error, leaving left: OutboxRecording?) -> RecorderEvent
    {
        var sentences = ["\(error)"]
        if let found = left?.abandon() {
            if !found.recovered.isEmpty {
                sentences.append("What was recorded until then is kept and will be sent.")
            }
            sentences += found.problems
        }
        return .failed(id, reason: sentences.joined(separator: " "), at: MonotonicClock.now)
    }
}
