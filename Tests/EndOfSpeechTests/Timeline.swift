import EndOfSpeech

/// Levels drawn as a string, one character for each 100 ms: `.` a quiet room (−60), `#` speech (−20).
/// Other characters are given a level by the test that uses them.
struct Timeline {
    var levels: [Double]

    init(_ drawing: String, with others: [Character: Double] = [:]) {
        levels = drawing.filter { $0 != " " }.map { others[$0] ?? ($0 == "#" ? -20 : -60) }
    }

    /// The times, in tenths of a second, at which the rule said "end"; the first reading is stamped 0.1 s.
    func ends(_ rule: inout EndOfSpeech) -> [Int] {
        levels.indices.filter { rule.feed(levels[$0], at: Double($0 + 1) / 10) }.map { $0 + 1 }
    }

    /// The judgements, drawn: `c` calibrating, `.` quiet, `#` speech, `?` ignored.
    func judgements(_ rule: inout EndOfSpeech) -> String {
        var drawing = ""
        for (index, level) in levels.enumerated() {
            _ = rule.feed(level, at: Double(index + 1) / 10)
            switch rule.lastJudgement {
            case .calibrating: drawing += "c"
            case .quiet: drawing += "."
            case .speech: drawing += "#"
            case .ignored, nil: drawing += "?"
            }
        }
        return drawing
    }
}
