/// Tells a thumb from a floating wire: counts edges and presses in seconds that follow each other.
///
/// The first edge after a quiet second begins a second; two of them in a row over a limit are a fault. A
/// line that goes on at a steady rate is so found 2 s after it began, one that changes its rate within 3 s.
struct EdgeRate: Equatable, Sendable {
    /// More raw edges than this in a second are no contact's bounce.
    static let edgeLimit = 200
    /// More presses than this in a second are no thumb's. Glitches count: each starts the card.
    static let pressLimit = 12
    /// A line without edges for this long is quiet.
    static let quiet = Duration.seconds(1)

    private struct Second: Equatable {
        var began: Duration
        var edges = 0
        var presses = 0
    }

    private enum Verdict: Equatable {
        case calm
        case suspect
    }

    private var second: Second?
    private var before = Verdict.calm
    private(set) var lastEdge: Duration?

    /// True when no edge has come for a second.
    func isQuiet(at now: Duration) -> Bool {
        guard let lastEdge else { return true }
        return now - lastEdge >= Self.quiet
    }

    /// Counts a raw edge. Returns the fault that the seconds before it amount to, once for each flood.
    mutating func edge(at now: Duration) -> LineFault? {
        var fault: LineFault?
        if isQuiet(at: now) {
            second = nil
            before = .calm
        }
        lastEdge = now
        var current = second ?? Second(began: now)
        if now - current.began >= .seconds(1) {
            let found = Self.judge(current)
            switch (before, found) {
            case (.suspect, let found?):
                fault = found
                before = .calm
            case (.calm, _?): before = .suspect
            case (_, nil): before = .calm
            }
            current = Second(began: current.began + .seconds(1))
        }
        current.edges += 1
        second = current
        return fault
    }

    /// Counts a press that began with the last edge.
    mutating func press() { second?.presses += 1 }

    private static func judge(_ second: Second) -> LineFault? {
        if second.edges > edgeLimit { return .noisy(edgesPerSecond: second.edges) }
        if second.presses > pressLimit { return .tooManyPresses(perSecond: second.presses) }
        return nil
    }
}
