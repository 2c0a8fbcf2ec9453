import EndOfSpeech
import Hardware
import Terminal
import Turn

/// What somebody who tries the button has done so far: presses as the device would count them.
struct LiveTrial: Equatable, Sendable {
    private var debouncer = Debouncer(heldAtStart: false)
    private(set) var isDown = false
    private(set) var presses = 0
    /// How long the last press was held; nil before the first release.
    private(set) var lastHeld: Duration?
    private var downSince: Duration?
    /// Why the button is not there; nil while it is.
    private(set) var trouble: String?

    /// Presses that were none.
    var glitches: Int { debouncer.glitches }

    /// When `advance` may have something to say.
    var deadline: Duration? { debouncer.deadline }

    /// - Parameter trouble: why there is no button at all.
    init(trouble: String? = nil) { self.trouble = trouble }

    mutating func take(_ event: ButtonEvent) {
        switch event {
        case .edge(let edge):
            // What was due before it comes first, however late both are looked at.
            advance(to: edge.at)
            take(debouncer.edge(down: edge.down, at: edge.at))
        case .heldAtStart:
            debouncer = Debouncer(heldAtStart: true)
            isDown = true
        case .lost(let sentence): (trouble, isDown) = (sentence, false)
        case .returned(let down, _):
            debouncer = Debouncer(heldAtStart: down)
            (trouble, isDown) = (nil, down)
        }
    }

    /// Serves what is due up to `now`, in its order.
    mutating func advance(to now: Duration) {
        while let due = debouncer.deadline, due <= now { take(debouncer.advance(to: due)) }
    }

    private mutating func take(_ events: [Debouncer.Event]) {
        for event in events {
            switch event {
            case .pressed(let at):
                (isDown, downSince) = (true, at)
                presses += 1
            case .confirmed: break
            case .glitch:
                (isDown, downSince) = (false, nil)
                presses -= 1
            case .released(let at):
                isDown = false
                lastHeld = downSince.map { at - $0 } ?? lastHeld
                downSince = nil
            case .fault(let fault): trouble = fault.description
            }
        }
    }

    /// `button       ● down · 3 presses, the last held 0.21 s · 1 glitch`.
    ///
    /// - Parameter width: of the terminal; nil: any.
    func line(isColoured: Bool, width: Int? = nil) -> String {
        let label = "button       "
        if let trouble {
            let shown = width.map { String(trouble.prefix(max($0 - label.count - 1, 0))) } ?? trouble
            return label + coloured(shown, "33", isColoured)
        }
        var words = [isDown ? coloured("● down", "92", isColoured) : "○ up  "]
        var count = "\(presses) press\(presses == 1 ? "" : "es")"
        if let lastHeld {
            count += ", the last held \(Figures.fixed(lastHeld / .seconds(1), places: 2)) s"
        }
        words.append(count)
        if glitches > 0 { words.append("\(glitches) glitch\(glitches == 1 ? "" : "es")") }
        return label + words.joined(separator: " · ")
    }

    private func coloured(_ text: String, _ code: String, _ isColoured: Bool) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
