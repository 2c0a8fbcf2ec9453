/// One dark (or still) time and the lit (or moving) time after it.
package struct Flash: Equatable, Hashable, Sendable {
    package let dark: Duration
    package let lit: Duration

    /// Milliseconds, neither negative; `lit` is more than zero.
    package init(dark: Int, lit: Int) {
        precondition(dark >= 0 && lit > 0)
        self.dark = .milliseconds(dark)
        self.lit = .milliseconds(lit)
    }
}

extension [Flash] {
    /// How long all of them last.
    package var length: Duration { reduce(.zero) { $0 + $1.dark + $1.lit } }

    /// Where a run of them stands `elapsed` after it began: the level now, and how long after the beginning
    /// it next changes; nil when they are over.
    func state(after elapsed: Duration) -> (lit: Bool, until: Duration)? {
        var end = Duration.zero
        for flash in self {
            end += flash.dark
            if elapsed < end { return (false, end) }
            end += flash.lit
            if elapsed < end { return (true, end) }
        }
        return nil
    }
}
