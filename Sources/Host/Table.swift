/// Columns of text, each as wide as its widest cell.
enum Table {
    static func lines(_ head: [String], _ rows: [[String]]) -> [String] {
        let all = ([head] + rows).map { $0.map(\.plain) }
        let widths = head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            let line = cells.joined(separator: "  ")
            return String(
                line[..<(line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.startIndex)])
        }
    }
}
