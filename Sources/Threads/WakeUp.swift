import CLinux
import Glibc

/// A doorbell between threads: one rings, the other polls the descriptor beside its own. An `eventfd(2)`.
package final class WakeUp: Sendable {
    /// Readable after `ring`, until `clear`.
    package let descriptor: Int32

    /// Traps when the process has no descriptor left at start-up.
    package init() {
        descriptor = lapel_eventfd()
        precondition(descriptor >= 0, "no descriptor left for an eventfd")
    }

    deinit { close(descriptor) }

    /// One system call; allocates nothing, never blocks.
    package func ring() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// Blocks until somebody rings, or until `deadline` by `MonotonicClock`; nil waits for ever. May return early.
    package func wait(until deadline: Duration? = nil) {
        let left = deadline.map { max(0, ($0 - MonotonicClock.now).wholeNanoseconds) } ?? -1
        _ = lapel_wait_readable(descriptor, left)
    }

    /// Why a wait beside another descriptor ended.
    package enum Waking: Equatable, Sendable {
        /// Somebody rang, the deadline passed, or nothing happened.
        case rung
        /// The other descriptor has data.
        case ready
        /// The other descriptor has an error, or its device has gone.
        case gone
    }

    /// Like `wait(until:)`, and for another descriptor as well. A ring is answered first, what is gone last.
    package func wait(beside other: Int32, until deadline: Duration? = nil) -> Waking {
        let left = deadline.map { max(0, ($0 - MonotonicClock.now).wholeNanoseconds) } ?? -1
        let woken = lapel_wait_either(descriptor, other, left)
        if woken & 1 != 0 { return .rung }
        if woken & 2 != 0 { return .ready }
        return woken & 4 != 0 ? .gone : .rung
    }

    package func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
