import Turn

/// Watches the button's line: makes presses of its edges, and asks for its level as long as it is down.
///
/// 1. The line's level is read again once a second exactly while it is down, in case a release was lost.
/// 2. A line that was lost, or found anew, begins anew: what is down then is no press.
struct ButtonWatch: Equatable, Sendable {
    /// What the watch wants, or what the line told.
    enum Output: Equatable, Sendable {
        /// Ask the line for its level; `levelReread` takes the answer.
        case reread
        case event(Debouncer.Event)
    }

    private enum Line: Equatable {
        case up
        case down(rereadAt: Duration)
    }

    /// From one look at a line that is down to the next.
    static let rereadPause = Duration.seconds(1)
    /// More raw edges in one press come of hum, not of a contact.
    static let mostBounces = 60

    private var debouncer = Debouncer(heldAtStart: false)
    private var line = Line.up
    /// Counted before the line was lost or found anew.
    private var earlierGlitches = 0
    /// Raw edges since the press that is down began.
    private var edgesInPress = 0

    /// Presses that were none, since the start.
    var glitches: Int { earlierGlitches + debouncer.glitches }

    /// The line rests while it is held. One that picks up hum never rests long enough to be released, and looks held. A
    /// bouncing contact settles within a few edges.
    var rests: Bool { edgesInPress <= Self.mostBounces }

    var isDown: Bool {
        switch line {
        case .up: false
        case .down: true
        }
    }

    /// When `advance` has something to say; nil when only an edge can have.
    var deadline: Duration? {
        switch (line, debouncer.deadline) {
        case (.up, let due): due
        case (.down(let rereadAt), let due?): min(rereadAt, due)
        case (.down(let rereadAt), nil): rereadAt
        }
    }

    /// A raw edge, stamped by the kernel, that comes by at `now`.
    mutating func edge(down: Bool, stamp: Duration, at now: Duration) -> [Output] {
        edgesInPress += 1
        return follow(debouncer.edge(down: down, at: stamp), at: now)
    }

    /// The answer to `reread`.
    mutating func levelReread(down: Bool, stamp: Duration, at now: Duration) -> [Output] {
        follow(debouncer.levelReread(down: down, at: stamp), at: now)
    }

    /// The line was found held at the start, was lost, or is back: what was known of it holds no more.
    mutating func beginAnew(held: Bool, at now: Duration) {
        earlierGlitches += debouncer.glitches
        debouncer = Debouncer(heldAtStart: held)
        _ = follow([], at: now)
    }

    /// Time has passed.
    mutating func advance(to now: Duration) -> [Output] {
        var outputs: [Output] = []
        if case .down(let rereadAt) = line, rereadAt <= now {
            line = .down(rereadAt: now + Self.rereadPause)
            outputs.append(.reread)
        }
        guard let due = debouncer.deadline, due <= now else { return outputs }
        return outputs + follow(debouncer.advance(to: now), at: now)
    }

    private mutating func follow(_ events: [Debouncer.Event], at now: Duration) -> [Output] {
        for case .pressed in events { edgesInPress = 1 }
        if debouncer.isDown != isDown {
            line = debouncer.isDown ? .down(rereadAt: now + Self.rereadPause) : .up
        }
        return events.map { .event($0) }
    }
}
