// Invariants
// 1. One thread waits for the card on behalf of recordings that are over, so that the one which is running is synced
//    each second however slow the card is: a power cut costs that one no more than its own second.
// 2. Orders are served in their order, all of them before `shutDown` returns.

import DeviceMachine
import Outbox
import Synchronization
import Threads

/// Brings recordings that are over to the card: finishes, commits, discards.
final class Keeper: Sendable {
    private let orders = Mailbox<KeeperOrder>()
    private let thread = Mutex<NamedThread?>(nil)

    /// `report` is called on the keeper's thread.
    init(outbox: Outbox, ledger: Ledger, report: @escaping @Sendable (RecorderEvent) -> Void) {
        thread.withLock {
            $0 = NamedThread("keeper") { [self] in
                var work = KeeperWork(outbox: outbox, ledger: ledger, report: report)
                serve(&work)
            }
        }
    }

    /// Returns at once.
    func order(_ order: KeeperOrder) { orders.post(order) }

    /// Blocks until every order before is served.
    func shutDown() {
        order(.end)
        thread.withLock { thread in
            defer { thread = nil }
            return thread
        }?.join()
    }

    private func serve(_ work: inout KeeperWork) {
        while true {
            let next = orders.wait()
            if case .end = next { return }
            work.serve(next)
        }
    }
}
