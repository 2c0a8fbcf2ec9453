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

/// A button pressed by a list of times. An edge is stamped when it is made, as by a kernel; a press lasts as long as
/// the script says even where the machine was late to begin it.
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
                Self.wait(until: zero + press.at)
                let began = MonotonicClock.now
                report(.edge(Edge(down: true, at: began)))
                Self.wait(until: began + press.held)
                report(.edge(Edge(down: false, at: MonotonicClock.now)))
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
