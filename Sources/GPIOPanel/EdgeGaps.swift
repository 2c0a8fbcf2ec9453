/// An edge of a line, as the kernel stamped it.
struct LineEdge: Equatable, Sendable {
    let active: Bool
    let at: Duration
    /// The line's count of edges; nil where the API does not tell.
    let sequence: UInt64?
}

/// Finds out whether the kernel's queue ran over, so that the last edge read is not the line's true level.
///
/// Where edges are counted, a gap says so; the kernel then dropped the oldest. Where they are not (libgpiod 1.x), the
/// kernel drops the newest, and only a read that empties a full queue can have lost some.
struct EdgeGaps: Equatable, Sendable {
    /// What the kernel's queue holds.
    let capacity: Int
    /// Of the last edge; nil before the first, which may follow edges that were thrown away.
    private var last: UInt64?

    init(capacity: Int = 16) { self.capacity = capacity }

    /// True when edges may be missing in or before this batch.
    mutating func mayMiss(_ batch: [LineEdge]) -> Bool {
        var missed = false
        var counted = false
        for edge in batch {
            guard let sequence = edge.sequence else { continue }
            counted = true
            missed = missed || last.map { sequence != $0 + 1 } ?? false
            last = sequence
        }
        return counted ? missed : batch.count >= capacity
    }
}
