import Terminal

/// Verdicts as lines for a person, in columns.
struct EndpointTable {
    private static let head = ["file", "length s", "end s", "speech s", "send", "ended by"]

    private var rows: [[String]] = []

    mutating func add(_ verdict: EndpointVerdict) {
        rows.append([
            verdict.file,
            fixed(verdict.duration, places: 1),
            verdict.end.map { fixed($0.seconds, places: 1) } ?? "never",
            fixed(verdict.speech, places: 1),
            verdict.send ? "yes" : "no",
            verdict.end?.reason.rawValue ?? "–",
        ])
    }

    /// None when nothing was added. Names stand left, figures right.
    var lines: [String] {
        guard !rows.isEmpty else { return [] }
        let all = [Self.head] + rows
        let widths = Self.head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return (1...3).contains(column) ? space + row[column] : row[column] + space
            }
            var line = cells.joined(separator: "  ")
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
    }

    private func fixed(_ value: Double, places: Int) -> String { Figures.fixed(value, places: places) }
}
