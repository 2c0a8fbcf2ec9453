import EndOfSpeech
import Terminal

/// What `lapel meter` shows: one picture of the present 100 ms, as lines of text.
struct MeterView: Equatable {
    /// The level bar reaches from here to full scale.
    private static let lowest = -80.0
    /// The bars stand between a label and a figure.
    private static let label = 13
    private static let eighths: [Character] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    private enum Paint: String {
        case plain = "0"
        case speech = "92"
        case quiet = "37"
        case floor = "36"
        case threshold = "33"
        case end = "91"
        case faint = "90"
    }

    let width: Int
    /// With ANSI colours.
    let isColoured: Bool

    /// Lines for the reading that the rule has just judged; always as many.
    func lines(_ rule: EndOfSpeech, _ observation: Observation) -> [String] {
        let bar = max(10, min(width, 100) - 2 * Self.label)
        return [
            levelLine(rule, observation, bar), secondLine(rule, observation, bar), restLine(rule, bar),
            stateLine(rule),
        ]
    }

    /// `level  ████▌   ╎    ┃      −31.2 dBFS`, with marks at the floor and the threshold.
    private func levelLine(_ rule: EndOfSpeech, _ observation: Observation, _ bar: Int) -> String {
        func place(_ dbfs: Double) -> Double { (dbfs - Self.lowest) / -Self.lowest }
        var marks: [(Double, Character, Paint)] = []
        if let floor = rule.floor { marks.append((place(floor), "╎", .floor)) }
        if let threshold = rule.threshold { marks.append((place(threshold), "┃", .threshold)) }
        let figure = Figures.fixed(observation.dbfs, places: 1) + " dBFS"
        return line("level", cells(place(observation.dbfs), marks, bar, paint(rule)), figure)
    }

    /// Of a rule that goes by probabilities, the largest of the reading; else the floor and the threshold in figures.
    private func secondLine(_ rule: EndOfSpeech, _ observation: Observation, _ bar: Int) -> String {
        guard let (on, off) = rule.probabilityThresholds else {
            guard let floor = rule.floor, let threshold = rule.threshold else {
                return line("threshold", padded("the room is being measured", bar), "")
            }
            let words =
                "floor \(Figures.fixed(floor, places: 1)), speech above \(Figures.fixed(threshold, places: 1))"
            return line("threshold", padded(words, bar), "")
        }
        let probability = observation.frames?.probability ?? 0
        let marks: [(Double, Character, Paint)] = [(off, "╎", .floor), (on, "┃", .threshold)]
        let figure = Figures.fixed(probability * 100, places: 0) + " %"
        return line("speech", cells(probability, marks, bar, paint(rule)), figure)
    }

    /// How much of the quiet that ends the utterance is still to come.
    private func restLine(_ rule: EndOfSpeech, _ bar: Int) -> String {
        guard let rest = rule.secondsToEnd else { return line("end in", padded("", bar), "–") }
        let share = rule.hangover > 0 ? rest / rule.hangover : 0
        return line("end in", cells(share, [], bar, .end), Figures.fixed(rest, places: 1) + " s")
    }

    private func stateLine(_ rule: EndOfSpeech) -> String {
        let state =
            switch rule.lastJudgement {
            case .speech: coloured("● speech", .speech)
            case .quiet: coloured("○ quiet ", .quiet)
            case .calibrating: coloured("○ measures the room", .faint)
            case .ignored, nil: coloured("– not judged", .faint)
            }
        let heard = "\(Figures.fixed(rule.speechSeconds, places: 1)) s of speech"
        let fate = rule.enoughToSend ? "enough to send" : "nothing to send yet"
        let end =
            rule.end.map { end in
                coloured(
                    " · end at \(Figures.fixed(end.seconds, places: 1)) s (\(end.reason.rawValue))",
                    .end)
            } ?? ""
        return "\(state) · \(heard) · \(fate)\(end)"
    }

    private func paint(_ rule: EndOfSpeech) -> Paint { rule.lastWasSpeech ? .speech : .quiet }

    /// A bar filled to `share`, with marks that shine through.
    private func cells(
        _ share: Double, _ marks: [(Double, Character, Paint)], _ bar: Int, _ paint: Paint
    ) -> String {
        let filled = min(max(share.isFinite ? share : 0, 0), 1) * Double(bar)
        return (0..<bar).map { cell in
            if let mark = marks.first(where: {
                Int((min(max($0.0, 0), 1) * Double(bar - 1)).rounded()) == cell
            }) {
                return coloured(String(mark.1), mark.2)
            }
            let part = filled - Double(cell)
            if part >= 1 { return coloured("█", paint) }
            let eighth = part > 0 ? Self.eighths[Int(part * 8)] : "·"
            return coloured(String(eighth == " " ? "·" : eighth), part > 0.125 ? paint : .faint)
        }.joined()
    }

    private func line(_ name: String, _ bar: String, _ figure: String) -> String {
        padded(name, Self.label) + bar + " " + figure
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func coloured(_ text: String, _ paint: Paint) -> String {
        isColoured ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
    }
}
