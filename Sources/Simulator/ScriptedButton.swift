import Glibc
import Hardware
import Threads

/// One press of a script: when the thumb goes down, counted from the start, and for how long.
package struct ScriptedPress: Equatable, Sendable {
    /// A press this long is for something to be heard; a shorter one is a tap or a slip.
    package static let shortestHeard = Duration.milliseconds(400)

    package let at: Duration
    package let held: Duration

    package init(at: Duration, held: Duration = .milliseconds(80)) {
        self.at = at
        self.held = held
    }
}

/// A button pressed by a list of times, which are the program's own: a program that is late finds its script late.
///
/// 1. From one release to the next press passes what lies between them in the script, counted from when the program
///    had caught up with the release.
/// 2. A press of `shortestHeard` or more lasts as long as the script says from when the program had caught up with it:
///    so long its microphone heard. A shorter one waits for nothing.
/// 3. An edge is stamped as by a kernel, which is never late: the release at its own time, even where this thread came
///    to it later. A tap stays a tap on any machine.
package final class ScriptedButton: ButtonSource {
    private let presses: [ScriptedPress]
    private let pace: ScriptPace?
    private let finished: @Sendable () -> Void

    /// - Parameters:
    ///   - pace: tells when the program has caught up; without one it always has.
    ///   - finished: called after the last release.
    package init(
        _ presses: [ScriptedPress], pace: ScriptPace? = nil, finished: @escaping @Sendable () -> Void
    ) {
        self.presses = presses.sorted { $0.at < $1.at }
        self.pace = pace
        self.finished = finished
    }

    package func start(report: @escaping @Sendable (ButtonEvent) -> Void) {
        let (presses, pace, finished) = (presses, pace, finished)
        _ = NamedThread("button") {
            // What the script calls zero, by the monotonic clock; later where the program was.
            var zero = MonotonicClock.now
            for press in presses {
                Self.wait(until: zero + press.at)
                var began = MonotonicClock.now
                report(.edge(Edge(down: true, at: began)))
                if press.held >= ScriptedPress.shortestHeard { began = pace?.caughtUp() ?? began }
                Self.wait(until: began + press.held)
                report(.edge(Edge(down: false, at: began + press.held)))
                zero = max(zero, (pace?.caughtUp() ?? began + press.held) - press.at - press.held)
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
