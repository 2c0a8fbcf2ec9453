/// The lamp's pattern in time: what it shows now, and when that changes.
struct LampLine: Equatable, Sendable {
    private enum Show: Equatable {
        case dark
        case solid
        case once([Flash], began: Duration)
        case repeating([Flash], began: Duration)
    }

    private struct Flip: Equatable {
        let lit: Bool
        let until: Duration
    }

    private var show = Show.dark
    private var flip: Flip?
    /// The time up to which the pattern was put out.
    private var shownUntil = Duration.zero
    /// The level last put out.
    private(set) var isLit = false

    /// When the level next may change; nil when only a cue changes it.
    var deadline: Duration? {
        if let flip { return flip.until }
        switch show {
        case .dark, .solid: return nil
        case .once(let flashes, let began), .repeating(let flashes, let began):
            return flashes.state(after: shownUntil - began).map { began + $0.until }
        }
    }

    mutating func begin(_ pattern: LampPattern, at now: Duration) {
        _ = settle(at: now)
        switch pattern {
        case .flip(let length):
            flip = Flip(lit: !isLit, until: now + length)
            return
        case .dark: show = .dark
        case .solid: show = .solid
        case .once(let flashes): show = .once(flashes, began: now)
        case .repeating(let flashes): show = .repeating(flashes, began: now)
        }
        flip = nil
    }

    /// Puts out the level at `now`. Returns it if it differs from the one before.
    mutating func advance(to now: Duration) -> Bool? {
        let lit = settle(at: now)
        guard lit != isLit else { return nil }
        isLit = lit
        return lit
    }

    /// Leaves behind what is over at `now`, and returns the level.
    private mutating func settle(at now: Duration) -> Bool {
        shownUntil = max(shownUntil, now)
        if let flip {
            if now < flip.until { return flip.lit }
            self.flip = nil
        }
        switch show {
        case .dark: return false
        case .solid: return true
        case .once(let flashes, let began):
            if let state = flashes.state(after: now - began) { return state.lit }
            show = .dark
            return false
        case .repeating(let flashes, var began):
            let length = flashes.length
            while now - began >= length { began += length }
            show = .repeating(flashes, began: began)
            return flashes.state(after: now - began)?.lit ?? false
        }
    }
}
