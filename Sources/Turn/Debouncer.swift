/// Makes presses of a contact's edges, on the kernel's stamps alone.
///
/// 1. The first edge after at least 10 ms of stable release is the press, reported at once.
/// 2. 10 ms later it is confirmed, or, down for less than 5 ms in all, it was a glitch.
/// 3. A release is reported when it has been stable for 10 ms, stamped with its own edge.
/// 4. After a fault or a start with the button held, nothing is reported before a stable release.
/// 5. After a glitch, the line decides: released for 10 ms it was one, and the next edge is a press; down for 10 ms
///    the thumb held on all the while, through a contact that closes badly, and that is the press, confirmed at once.
///
/// Nothing is ever ignored "for a while after an edge": that would lose releases. `pressed` is followed by
/// exactly one of `confirmed`, `glitch` or `fault`; `confirmed` by exactly one of `released` or `fault`.
/// Source of the figures: SPECIFICATION.md, "Gestures".
package struct Debouncer: Equatable, Sendable {
    package enum Event: Equatable, Sendable {
        /// The press edge.
        case pressed(at: Duration)
        /// The press of `pressedAt` is one.
        case confirmed(pressedAt: Duration, at: Duration)
        /// The press of `pressedAt` was none.
        case glitch(pressedAt: Duration, at: Duration)
        /// The confirmed press is over. `at` is the stamp of the release edge, reported 10 ms later.
        case released(at: Duration)
        /// The line floods. Presses are ignored until it has been without edges for 1 s.
        case fault(LineFault)
    }

    /// How long a release must last to count, and a press is judged.
    package static let stable = Duration.milliseconds(10)
    /// Down for less than this in all during the first 10 ms is a glitch.
    package static let shortestPress = Duration.milliseconds(5)

    private enum Level: Equatable {
        case up(since: Duration)
        case down(since: Duration)
    }

    private enum State: Equatable {
        /// Released, and stable.
        case released
        /// Within the first 10 ms. `downBefore` sums what was over before the level's last change.
        case judging(pressedAt: Duration, downBefore: Duration)
        /// A confirmed press.
        case held
        /// A glitch was told, and the line has not been stable since.
        case doubted
        /// Nothing counts before a stable release.
        case muted
        /// Nothing counts before a quiet second.
        case faulty
    }

    private var state: State
    private var level: Level
    private var rate = EdgeRate()
    private var now = Duration.zero
    /// Presses that were none, since the start.
    package private(set) var glitches = 0

    /// A line as it was found. Held at the start is not a press: nothing counts before its stable release.
    package init(heldAtStart: Bool) {
        state = heldAtStart ? .muted : .released
        level = heldAtStart ? .down(since: .zero) : .up(since: .zero)
    }

    /// The line's level as last known. While it is down the owner re-reads it once a second.
    package var isDown: Bool {
        switch level {
        case .down: true
        case .up: false
        }
    }

    /// When `advance` has something to say; nil when only an edge can have.
    package var deadline: Duration? {
        switch (state, level) {
        case (.judging(let pressedAt, _), _): pressedAt + Self.stable
        case (.held, .up(let since)), (.muted, .up(let since)): since + Self.stable
        case (.doubted, .up(let since)), (.doubted, .down(let since)): since + Self.stable
        case (.released, _), (.faulty, _), (.held, .down), (.muted, .down): nil
        }
    }

    /// A raw edge, stamped by the kernel. Advances to `at` first; a stamp that goes back counts as now.
    package mutating func edge(down: Bool, at stamp: Duration) -> [Event] {
        var events = advance(to: stamp)
        let at = max(stamp, now)
        if let fault = rate.edge(at: at), state != .faulty {
            state = .faulty
            events.append(.fault(fault))
        }
        return events + change(down: down, at: at)
    }

    /// The level, read anew: after a gap in the kernel's queue, and once a second while it is down.
    ///
    /// One that differs from the known level stands for the edge that was lost.
    package mutating func levelReread(down: Bool, at stamp: Duration) -> [Event] {
        let events = advance(to: stamp)
        return events + change(down: down, at: max(stamp, now))
    }

    /// Time has passed. Returns what it decided, in order.
    package mutating func advance(to time: Duration) -> [Event] {
        var events: [Event] = []
        while let due = deadline, due <= time {
            events.append(contentsOf: decide(at: due))
        }
        now = max(now, time)
        if state == .faulty, rate.isQuiet(at: now) {
            state = isDown ? .muted : .released
        }
        return events
    }

    private mutating func change(down: Bool, at: Duration) -> [Event] {
        guard down != isDown else { return [] }
        if case .judging(let pressedAt, let downBefore) = state, case .down(let since) = level {
            state = .judging(pressedAt: pressedAt, downBefore: downBefore + (at - since))
        }
        level = down ? .down(since: at) : .up(since: at)
        guard down, state == .released else { return [] }
        state = .judging(pressedAt: at, downBefore: .zero)
        rate.press()
        return [.pressed(at: at)]
    }

    private mutating func decide(at due: Duration) -> [Event] {
        switch (state, level) {
        case (.judging(let pressedAt, let downBefore), let level):
            var downInAll = downBefore
            if case .down(let since) = level { downInAll += due - since }
            if downInAll < Self.shortestPress {
                glitches += 1
                state = .doubted
                return [.glitch(pressedAt: pressedAt, at: due)]
            }
            state = .held
            return [.confirmed(pressedAt: pressedAt, at: due)]
        case (.held, .up(let since)):
            state = .released
            return [.released(at: since)]
        case (.muted, .up), (.doubted, .up):
            state = .released
            return []
        case (.doubted, .down(let since)):
            // The rate has counted this thumb already, by its glitch.
            state = .held
            return [.pressed(at: since), .confirmed(pressedAt: since, at: due)]
        case (.held, .down), (.muted, .down), (.released, _), (.faulty, _):
            return []  // these have no deadline
        }
    }
}
