import Synchronization
import Threads

/// Holds a script back until the program has caught up with it.
package final class ScriptPace: Sendable {
    /// A program that does not answer for so long is not waited for: a microphone may be broken on purpose.
    private static let longest = Duration.seconds(10)

    private let reached = Mutex(Duration.zero)
    private let wakeUp = WakeUp()
    private let ask: @Sendable () -> Void

    /// `ask` makes the program look at once whether it has caught up, and call `caughtUp(at:)` if so.
    package init(ask: @escaping @Sendable () -> Void) { self.ask = ask }

    /// The program has taken all that was reported before `now`, and its microphone is either closed or heard.
    package func caughtUp(at now: Duration) {
        reached.withLock { $0 = now }
        wakeUp.ring()
    }

    /// Blocks until the program has caught up with all that was reported before this call, or for `longest`.
    ///
    /// - Returns: when it had.
    func caughtUp() -> Duration {
        let asked = MonotonicClock.now
        ask()
        while MonotonicClock.now < asked + Self.longest {
            let reached = reached.withLock { $0 }
            if reached >= asked { return reached }
            wakeUp.wait(until: asked + Self.longest)
            wakeUp.clear()
        }
        return MonotonicClock.now
    }
}
