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

    package func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
