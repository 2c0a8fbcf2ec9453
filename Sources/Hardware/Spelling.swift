/// Which known name somebody may have meant.
package enum Spelling {
    /// The names with the fewest mistakes between them and `name`, nearest first; of equals those of the same letters,
    /// then in their order. Case does not count.
    package static func nearest(to name: String, among names: [String], count: Int = 3) -> [String] {
        let name = name.lowercased()
        let letters = name.utf8.sorted()
        let ranked = names.enumerated().map { position, known in
            let lower = known.lowercased()
            return (distance(lower, name), lower.utf8.sorted() == letters ? 0 : 1, position, known)
        }
        return ranked.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }.prefix(count).map(\.3)
    }

    /// The least number of bytes changed, added, left out, or exchanged with their neighbour: optimal string alignment
    /// (Damerau and Levenshtein).
    package static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        // The distances of a's beginnings to b's: the line in work, and the two above it.
        var above: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var line = [i + 1]
            for j in b.indices {
                var least = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, line[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, above[j - 1] + 1) }
                line.append(least)
            }
            (above, last) = (last, line)
        }
        return last[b.count]
    }
}
