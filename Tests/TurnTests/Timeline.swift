@testable import Turn

/// A line drawn in time: `#` down, `.` up, one character for each step. Blanks group and mean nothing.
struct Timeline {
    let edges: [(down: Bool, at: Duration)]
    let end: Duration

    /// - Parameter downBefore: the level before the drawing: a first character that differs is an edge.
    init(_ drawing: String, step: Duration, downBefore: Bool) {
        let characters = drawing.filter { $0 != " " }
        var edges: [(Bool, Duration)] = []
        var down = downBefore
        for (index, character) in characters.enumerated() where (character == "#") != down {
            down.toggle()
            edges.append((down, step * index))
        }
        self.edges = edges
        end = step * characters.count
    }
}

extension Debouncer.Event {
    /// Names and milliseconds: `pressed 0`, `confirmed 0 10`.
    var drawn: String {
        switch self {
        case .pressed(let at): "pressed \(at.milliseconds)"
        case .confirmed(let pressedAt, let at): "confirmed \(pressedAt.milliseconds) \(at.milliseconds)"
        case .glitch(let pressedAt, let at): "glitch \(pressedAt.milliseconds) \(at.milliseconds)"
        case .released(let at): "released \(at.milliseconds)"
        case .fault: "fault"
        }
    }
}

extension Duration {
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
