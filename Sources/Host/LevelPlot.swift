import Terminal
import Wire

/// An utterance's levels as a picture of characters: how loud it was, and where its speech ended.
struct LevelPlot: Sendable {
    /// Rows from loud to quiet, then the time axis.
    let lines: [String]

    private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    private static let rows = 6
    private static let top = 0.0
    private static let bottom = -72.0

    /// `columns` is the width of the whole picture. Nil without readings.
    init?(_ manifest: Manifest, columns: Int) {
        let readings = manifest.readings
        guard !readings.isEmpty else { return nil }
        let label = 8
        let width = max(12, min(columns - label, readings.count * 2))
        let perColumn = Double(readings.count) / Double(width)
        let levels = (0..<width).map { column -> Double in
            let first = min(Int(Double(column) * perColumn), readings.count - 1)
            let end = max(first + 1, min(Int(Double(column + 1) * perColumn), readings.count))
            return readings[first..<end].map(\.dbfs).max() ?? Self.bottom
        }
        let step = (Self.top - Self.bottom) / Double(Self.rows)
        var lines = (0..<Self.rows).map { row -> String in
            let upper = Self.top - Double(row) * step
            let cells = levels.map { level -> Character in
                let filled = (level - (upper - step)) / step
                return Self.blocks[Int((max(0, min(1, filled)) * 8).rounded())]
            }
            let name = row % 2 == 0 ? Figures.fixed(upper, places: 0) + " dB" : ""
            return Self.padded(name, label - 1) + " " + String(cells)
        }
        let end = Self.lastSpeech(manifest).map { min(width - 1, Int(Double($0) / perColumn)) }
        lines.append(
            String(repeating: " ", count: label) + Self.axis(width, end: end, reason: manifest.endReason))
        let length = Figures.seconds(Double(readings.count) / 10)
        lines.append(
            String(repeating: " ", count: label) + "0" + Self.padded(length, width - 1))
        self.lines = lines
    }

    /// The last reading that the reference rule calls speech, from the recording alone: above the floor's median
    /// by 10 dB and above −45 dBFS. For a picture; what ended the utterance is in the manifest.
    private static func lastSpeech(_ manifest: Manifest) -> Int? {
        let judged = manifest.readings.enumerated().filter { $0.element.marks == 0 }
        let quiet = judged.prefix(5).map(\.element.dbfs).sorted()
        guard !quiet.isEmpty else { return nil }
        let threshold = max(quiet[quiet.count / 2] + 10, -45)
        return judged.last { $0.element.dbfs > threshold }?.offset
    }

    /// `─────┴───────┤`: speech until the mark, then the silence that ended it.
    private static func axis(_ width: Int, end: Int?, reason: String) -> String {
        String(
            (0..<width).map { column -> Character in
                if column == width - 1 { return "┤" }
                guard let end else { return "─" }
                return column < end ? "━" : column == end ? "┻" : "─"
            })
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
