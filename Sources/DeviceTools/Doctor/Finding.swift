import Wire

/// One line of `lapel doctor`: how something stands, and what mends it.
struct Finding: Equatable, Sendable {
    enum State: String, Equatable, Sendable, CaseIterable {
        /// Nothing is to be done.
        case good = "ok"
        /// It works, and there is something to know.
        case doubtful = "warning"
        /// It does not work. The only state that makes the command fail.
        case faulty = "fault"
    }

    let name: String
    let state: State
    /// How it stands: a sentence.
    let text: String
    /// What to do; nil exactly where nothing is to be done.
    let mend: String?

    private init(_ name: String, _ state: State, _ text: String, _ mend: String?) {
        self.name = name
        self.state = state
        self.text = text
        self.mend = mend
    }

    static func good(_ name: String, _ text: String) -> Finding { Finding(name, .good, text, nil) }

    static func doubtful(_ name: String, _ text: String, mend: String) -> Finding {
        Finding(name, .doubtful, text, mend)
    }

    static func faulty(_ name: String, _ text: String, mend: String) -> Finding {
        Finding(name, .faulty, text, mend)
    }

    static func faulty(_ name: String, _ refusal: Obstacle) -> Finding {
        .faulty(name, refusal.text, mend: refusal.mend)
    }

    var json: JSON {
        [
            "name": .string(name), "state": .string(state.rawValue), "text": .string(text),
            "mend": .optional(mend),
        ]
    }

    /// As a terminal shows it: one line.
    func line(isColoured: Bool) -> String {
        let (mark, colour) =
            switch state {
            case .good: ("✓", "32")
            case .doubtful: ("!", "33")
            case .faulty: ("✗", "31")
            }
        let shown = isColoured ? "\u{1B}[\(colour)m\(mark)\u{1B}[0m" : mark
        let padding = String(repeating: " ", count: max(1, 13 - name.count))
        return "\(shown) \(name)\(padding)\(text)\(mend.map { " " + $0 } ?? "")"
    }
}

extension [Finding] {
    /// Of the command: 1 when something does not work.
    var exitCode: Int32 { contains { $0.state == .faulty } ? 1 : 0 }
}
