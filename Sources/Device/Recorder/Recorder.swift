// Invariants
// 1. One thread owns encoder and file; the loop only sends orders, which are served in their order. What is over goes
//    to the keeper with all its later orders, so that no wait for the card keeps the next recording from its sync.
// 2. At most one file takes frames: those between the queue's marks when `begin` and when `finish` were ordered,
//    because the card is read after the one and closed before the other. When they are served does not matter: the
//    next turn may be captured already.
// 3. What is taken from the queue while no order waits was captured before any later order. So the mark is read
//    before the look that shows that no order waits.
// 4. The queue rings once a second, and what is taken from it is encoded and synced at once: a power cut costs that
//    second, the codec's 0.2 s and the time of the sync.
// 5. An order that fails is answered; what was written before it stays for salvage.

import AudioFiles
import DeviceMachine
import Hardware
import Outbox
import Sealing
import Synchronization
import Threads
import Turn

/// Writes utterances while they are spoken: takes frames from the queue, encodes, syncs; a keeper has what is over.
final class Recorder: Sendable {
    enum Order: Sendable {
        case begin(UtteranceID, press: Duration)
        case finish(UtteranceID, TakeFacts)
        case commit(UtteranceID)
        case discard(UtteranceID)
        case checkRoom
        /// Bring the microphone's journal to the card.
        case syncJournal
        case end
    }

    /// An order, and where the stream of samples stood when it was given.
    struct Marked: Sendable {
        let order: Order
        let mark: AudioQueue.Mark
    }

    /// Shares its bell with the queue.
    private let orders: Mailbox<Marked>
    private let queue: AudioQueue
    private let keeper: Keeper
    private let thread = Mutex<NamedThread?>(nil)

    /// - Parameters:
    ///   - queue: rings for its frames the bell that `order` rings.
    ///   - recipients: whom a recording that begins is sealed to; none: it is stored in the clear. Called on the
    ///     recorder's thread.
    ///   - report: called on the recorder's thread and on the keeper's.
    init(
        outbox: Outbox, ledger: Ledger, queue: AudioQueue, form: RecordingForm,
        recipients: @escaping @Sendable () throws -> [AgeRecipient] = { [] },
        report: @escaping @Sendable (RecorderEvent) -> Void
    ) {
        orders = Mailbox(wakeUp: queue.wakeUp)
        self.queue = queue
        keeper = Keeper(outbox: outbox, ledger: ledger, report: report)
        thread.withLock {
            $0 = NamedThread("recorder") { [self] in
                var work = RecorderWork(
                    outbox: outbox, ledger: ledger, queue: queue, form: form, recipients: recipients,
                    report: report, keep: keeper.order)
                serve(&work)
            }
        }
    }

    /// Returns at once; the answer is a `RecorderEvent`.
    func order(_ order: Order) {
        orders.post(Marked(order: order, mark: queue.mark))
    }

    /// Blocks until every order before is served.
    func shutDown() {
        order(.end)
        thread.withLock { thread in
            defer { thread = nil }
            return thread
        }?.join()
        keeper.shutDown()
    }

    private func serve(_ work: inout RecorderWork) {
        while true {
            orders.wakeUp.wait()
            orders.wakeUp.clear()
            while true {
                let mark = queue.mark
                guard let next = orders.take() else {
                    work.takeFrames(upTo: mark.position)
                    break
                }
                if case .end = next.order { return }
                work.serve(next.order, at: next.mark)
            }
        }
    }
}
