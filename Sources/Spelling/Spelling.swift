/// Which known name somebody may have meant.
package enum Spelling {
    /// The names with the fewest changed letters, nearest first; equals keep their order.
    package static func nearest(to name: String, among names: [String], count: Int = 3) -> [String] {
        let measured = names.enumerated().map { position, known in
            (distance(known.lowercased(), name.lowercased()), position, known)
        }
        return measured.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(count).map(\.2)
    }

    /// Levenshtein's distance, in bytes.
    package static func distance(_ a: String, _ b: String) -> Int {
        let b = Array(b.utf8)
        var row = Array(0...b.count)
        for (i, x) in a.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let substituted = diagonal + (x == y ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}
