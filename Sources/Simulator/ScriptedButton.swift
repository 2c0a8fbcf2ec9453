import Glibc
import Hardware
import Threads

/// One press of a script: when the thumb goes down, counted from the start, and for how long.
package struct ScriptedPress: Equatable, Sendable {
    package let at: Duration
    package let held: Duration

    package init(at: Duration, held: Duration = .milliseconds(80)) {
        self.at = at
        self.held = held
    }
}

/// A button pressed by a list of times. Edges bear the times of the script, as a kernel's stamp would.
package final class ScriptedButton: ButtonSource {
    private let presses: [ScriptedPress]
    private let finished: @Sendable () -> Void

    /// `finished` is called after the last release.
    package init(_ presses: [ScriptedPress], finished: @escaping @Sendable () -> Void) {
        self.presses = presses.sorted { $0.at < $1.at }
        self.finished = finished
    }

    package func start(report: @escaping @Sendable (ButtonEvent) -> Void) {
        let presses = presses
        let finished = finished
        _ = NamedThread("button") {
            let zero = MonotonicClock.now
            for press in presses {
                for (down, at) in [(true, zero + press.at), (false, zero + press.at + press.held)] {
                    Self.wait(until: at)
                    report(.edge(Edge(down: down, at: MonotonicClock.now)))
                }
            }
            finished()
        }
    }

    package func isDown() -> Bool? { nil }

    private static func wait(until at: Duration) {
        let (seconds, attoseconds) = at.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }
}
