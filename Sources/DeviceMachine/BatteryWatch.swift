import Hardware

/// Watches the battery: it is read when a turn begins to record, once a minute while it does, and when it has ended.
///
/// Source: SPECIFICATION.md, "Lines".
struct BatteryWatch: Equatable, Sendable {
    /// What a reading means.
    enum Verdict: Equatable, Sendable {
        /// There is enough, or nobody knows.
        case enough
        /// Nearly empty; `wasKnown`: the reading before said so, too.
        case low(percent: Int, wasKnown: Bool)
    }

    private enum State: Equatable {
        /// The board has none.
        case absent
        /// No turn records.
        case resting
        case watching(readAt: Duration)
    }

    /// From one reading to the next while a turn records.
    static let pause = Duration.seconds(60)

    private var state: State
    private var wasLow = false

    init(isPresent: Bool) { state = isPresent ? .resting : .absent }

    /// When `advance` wants it read; nil while no turn records.
    var deadline: Duration? {
        switch state {
        case .absent, .resting: nil
        case .watching(let readAt): readAt
        }
    }

    /// Whether a turn records now. True when the battery is to be read: that has changed.
    mutating func turnRecords(_ records: Bool, at now: Duration) -> Bool {
        switch (state, records) {
        case (.absent, _), (.resting, false), (.watching, true): return false
        case (.resting, true):
            state = .watching(readAt: now + Self.pause)
            return true
        case (.watching, false):
            state = .resting
            return true
        }
    }

    /// Time has passed. True when the battery is to be read.
    mutating func advance(to now: Duration) -> Bool {
        guard let deadline, deadline <= now else { return false }
        state = .watching(readAt: now + Self.pause)
        return true
    }

    /// The battery was read; nil: it does not tell.
    mutating func read(_ level: BatteryLevel?) -> Verdict {
        let wasKnown = wasLow
        wasLow = level?.isLow ?? false
        guard let level, level.isLow else { return .enough }
        return .low(percent: level.percent, wasKnown: wasKnown)
    }
}
