import Device
import Synchronization
import Threads

/// Whether the presses of a script are over.
final class Script: Sendable {
    private let finished = Mutex<Duration?>(nil)

    var finishedAt: Duration? { finished.withLock { $0 } }

    /// The last release was reported: the loop looks whether it is done.
    func finish(_ events: EventQueue) {
        finished.withLock { $0 = MonotonicClock.now }
        events.ring()
    }
}
