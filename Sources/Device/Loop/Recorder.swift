// Invariants
// 1. One thread owns encoder and file; the loop only sends orders, which are served in their order.
// 2. At most one file takes frames. Its frames are in the queue between its `begin` and its `finish`, because the
//    card is read after `begin` was ordered and closed before `finish` is.
// 3. What is on the card while recording is never more than a second behind what was taken from the queue.
// 4. An order that fails is answered; what was written before it stays for salvage.

import AudioFiles
import Hardware
import Outbox
import Synchronization
import Threads
import Turn
import Wire

/// Writes utterances while they are spoken: takes frames from the queue, encodes, syncs, finishes, commits.
final class Recorder: Sendable {
    enum Order: Sendable {
        case begin(UtteranceID, ItemName, press: Duration)
        case finish(UtteranceID, TakeFacts)
        case commit(UtteranceID)
        case discard(UtteranceID)
        case checkRoom
        case end
    }

    private let orders = Mutex<[Order]>([])
    private let wakeUp: WakeUp
    private let thread = Mutex<NamedThread?>(nil)

    /// - Parameters:
    ///   - queue: rings `wakeUp`, as `order` does.
    ///   - report: called on the recorder's thread.
    init(
        outbox: Outbox, ledger: Ledger, queue: AudioQueue, form: RecordingForm,
        report: @escaping @Sendable (RecorderEvent) -> Void
    ) {
        wakeUp = queue.wakeUp
        thread.withLock {
            $0 = NamedThread("recorder") { [self] in
                var work = RecorderWork(
                    outbox: outbox, ledger: ledger, queue: queue, form: form, report: report)
                serve(&work)
            }
        }
    }

    /// Returns at once; the answer is a `RecorderEvent`.
    func order(_ order: Order) {
        orders.withLock { $0.append(order) }
        wakeUp.ring()
    }

    /// Blocks until every order before is served.
    func shutDown() {
        order(.end)
        thread.withLock { thread in
            defer { thread = nil }
            return thread
        }?.join()
    }

    private func serve(_ work: inout RecorderWork) {
        while true {
            wakeUp.wait()
            wakeUp.clear()
            for order in orders.withLock({ orders in
                defer { orders = [] }
                return orders
            }) {
                if case .end = order { return }
                work.serve(order)
            }
            work.takeFrames()
        }
    }
}
