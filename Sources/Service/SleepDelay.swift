// Invariants
// 1. Holding and letting go return at once: the bus is spoken to on a thread of its own, which the first turn starts.
// 2. The lock is a delay, never a block: logind waits for it at most its own `InhibitDelayMaxSec` (5 s).
// 3. Without logind, or where it says no, everything goes on: the service's stop ends a turn as properly.

import CSystemd
import Glibc
import Synchronization
import Threads

/// Holds the system's sleep and shutdown back while a turn is up, and tells when one of them begins.
///
/// Source: systemd, "Inhibitor Locks" (org.freedesktop.login1, `Inhibit`, mode `delay`).
package final class SleepDelay: Sendable {
    private struct State {
        var isWanted = false
        var isEnded = false
        var thread: NamedThread?
    }

    private let state = Mutex(State())
    private let wakeUp = WakeUp()
    private let begins: @Sendable () -> Void

    /// `begins` is called on the thread when sleep or shutdown begins.
    package init(begins: @escaping @Sendable () -> Void) { self.begins = begins }

    /// A turn is up, or no more. Asked with what holds already, it does nothing.
    package func want(_ isWanted: Bool) {
        let changed = state.withLock { state in
            guard state.isWanted != isWanted, !state.isEnded else { return false }
            state.isWanted = isWanted
            if state.thread == nil {
                state.thread = NamedThread("logind") { [self] in serve() }
            }
            return true
        }
        if changed { wakeUp.ring() }
    }

    /// Lets go and ends the thread. Blocks for at most two calls of the bus, 10 s each.
    package func shutDown() {
        let thread = state.withLock { state in
            state.isEnded = true
            defer { state.thread = nil }
            return state.thread
        }
        wakeUp.ring()
        thread?.join()
    }

    /// The thread: one bus for its life. Sleeps until the wish changes or logind says something.
    private func serve() {
        guard let bus = LogindBus() else { return }
        var locks: [Int32] = []
        defer { for lock in locks { close(lock) } }
        while true {
            wakeUp.clear()
            let (isWanted, isEnded) = state.withLock { ($0.isWanted, $0.isEnded) }
            if isEnded { return }
            if isWanted, locks.isEmpty {
                // One by one: polkit's rules let a service delay either, and know no rule for both at once.
                for what in ["sleep", "shutdown"] {
                    let lock = bus.delay(what)
                    if lock >= 0 { locks.append(lock) }
                }
            }
            if !isWanted {
                for lock in locks { close(lock) }
                locks = []
            }
            switch bus.next() {
            case .begins: begins()
            case .nothing: if wakeUp.wait(beside: bus.descriptor) == .gone { return }
            case .gone: return
            }
        }
    }
}

/// The system's bus as far as it is logind's.
private struct LogindBus: ~Copyable {
    enum News {
        case begins
        case nothing
        case gone
    }

    private let bus: OpaquePointer

    init?() {
        guard let bus = lapel_logind_open() else { return nil }
        self.bus = bus
    }

    deinit { lapel_logind_close(bus) }

    var descriptor: Int32 { sd_bus_get_fd(bus) }

    /// A descriptor that holds `what` back; negative when logind gives none.
    func delay(_ what: String) -> Int32 {
        lapel_logind_delay(bus, what, "Lapel", "An utterance is being kept")
    }

    func next() -> News {
        switch lapel_logind_next(bus) {
        case 1...: .begins
        case 0: .nothing
        default: .gone
        }
    }
}
