import HostLink
import Outbox
import Sealing
import Synchronization
import Threads

// Invariants
//   1. A recording leaves the outbox only after the paired host's receipts for manifest and audio, each with the
//      digest of our own bytes (`TusSession`), over a connection whose key is the pinned one (`Client`).
//   2. One thread sends. Idle, it is blocked on its doorbell: no connection, no timer. Backing off, it has a timer
//      and no connection.
//   3. Whom to send to is asked anew before every connection; a changed pairing closes the old one.
//   4. What is sealed goes only to a host that holds a key for it, and what is held back is in nobody's way.
//   5. A foreign server gets sealed files alone, and what it acknowledges is set aside, not let go.
//   6. `signals` guards what other threads ask for; nothing is called under it.

/// Delivers what waits in the outbox to the paired host, or to a foreign server.
package final class Shipper: Sendable {
    struct Signals {
        var stop = false
        var reset = false
    }

    /// What the sending thread and everybody else share.
    final class Shared: Sendable {
        let signals = Mutex(Signals())
        let doorbell = WakeUp()

        var isStopped: Bool { signals.withLock { $0.stop } }
    }

    private let shared: Shared
    private let thread: NamedThread

    /// How a paired host is found, besides by the addresses of its pairing.
    package struct Ways: Sendable {
        let memory: AddressMemory
        let discovery: Discovery

        package init(memory: AddressMemory = .none, discovery: Discovery = .off) {
            self.memory = memory
            self.discovery = discovery
        }
    }

    /// Starts the sending thread, which first looks at what waits.
    ///
    /// - Parameters:
    ///   - signing: the key that the host knows this device's signatures by.
    ///   - destination: where recordings go now; nil while they go nowhere. Called on the sending thread, also
    ///     between two recordings.
    ///   - report: called on the sending thread.
    package init(
        outbox: Outbox, credentials: Credentials, signing: SigningKey? = nil, ways: Ways = Ways(),
        destination: @escaping @Sendable () -> Destination?,
        report: @escaping @Sendable (ShipperEvent) -> Void
    ) {
        let shared = Shared()
        self.shared = shared
        thread = NamedThread("shipper") {
            let run = ShippingRun(
                outbox: outbox, credentials: credentials, signing: signing, shared: shared, ways: ways,
                destination: destination, report: report)
            run.untilStopped()
        }
    }

    /// Something may be there to send. With `reset` (a new utterance, a press, link-up, a new pairing) whatever
    /// backs off or stopped is tried at once.
    package func wake(reset: Bool) {
        shared.signals.withLock { $0.reset = $0.reset || reset }
        shared.doorbell.ring()
    }

    /// Ends a running transfer and the thread; returns when both have ended. Called once. What was not delivered
    /// waits in the outbox.
    package func shutDown() {
        shared.signals.withLock { $0.stop = true }
        shared.doorbell.ring()
        thread.join()
    }
}
