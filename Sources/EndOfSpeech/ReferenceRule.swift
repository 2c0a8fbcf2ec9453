/// The rule of `EndOfSpeech.Rule.reference`: a level against a floor.
///
/// The first readings measure the room; afterwards what stands far enough above the floor is speech, and what does not
/// pulls the floor. Trials compare against it, so it is reproduced exactly (SPECIFICATION.md, "End of speech").
struct ReferenceRule: Equatable, Sendable {
    private enum State: Equatable, Sendable {
        /// The first levels; when all are in, their median is the floor.
        case measuring(levels: [Double])
        case beforeSpeech(floor: Double)
        case inSpeech(floor: Double, lastSpeech: Double)
        /// The end has been told; speech begins anew.
        case afterEnd(floor: Double, end: EndOfSpeech.End)
    }

    /// Clocks that sum steps of 0.1 s may fall this short of the hangover.
    private static let clockTolerance = 0.001
    /// Sums of 0.1 s may fall this short of the least speech.
    private static let sumTolerance = 1e-9

    let settings: EndOfSpeech.Parameters
    private var state: State
    private var previous: Double?

    /// Speech heard so far, in seconds: of each speech reading, the time since the reading before it.
    private(set) var speechSeconds = 0.0
    /// What was made of the latest observation; nil before the first.
    private(set) var lastJudgement: EndOfSpeech.Judgement?

    init(_ settings: EndOfSpeech.Parameters) {
        self.settings = settings
        state = .measuring(levels: [])
    }

    /// Level of the room in dBFS; nil while it is measured.
    var floor: Double? {
        switch state {
        case .measuring: nil
        case .beforeSpeech(let floor), .inSpeech(let floor, _), .afterEnd(let floor, _): floor
        }
    }

    /// A reading above this level, in dBFS, is speech; nil while the room is measured.
    var threshold: Double? { floor.map(threshold(over:)) }

    /// The end, from the observation that brought it until somebody speaks again.
    var end: EndOfSpeech.End? {
        switch state {
        case .afterEnd(_, let end): end
        case .measuring, .beforeSpeech, .inSpeech: nil
        }
    }

    /// Any speech at all so far.
    var hasSpoken: Bool {
        switch state {
        case .inSpeech, .afterEnd: true
        case .measuring, .beforeSpeech: false
        }
    }

    /// There is enough speech for the utterance to be worth sending.
    var enoughToSend: Bool { speechSeconds >= settings.minimumSpeech - Self.sumTolerance }

    /// How long the quiet must still last, in seconds; nil before speech and after the end.
    var secondsToEnd: Double? {
        switch state {
        case .inSpeech(_, let lastSpeech):
            previous.map { max(0, settings.hangover - max(0, $0 - lastSpeech)) }
        case .measuring, .beforeSpeech, .afterEnd: nil
        }
    }

    /// Judges one observation of a front end.
    ///
    /// An observation whose level or time is not finite is ignored. A time not later than the one before adds
    /// no speech and is judged like any other; a time that goes back is the next one's "before".
    ///
    /// - Returns: true at the end of the utterance, once for every pause.
    mutating func feed(_ observation: Observation) -> Bool {
        let level = observation.dbfs
        let now = observation.seconds
        guard level.isFinite, now.isFinite else {
            lastJudgement = .ignored
            return false
        }
        let step = max(0, now - (previous ?? now))
        previous = now
        switch state {
        case .measuring(let levels):
            lastJudgement = .calibrating
            measure(level, after: levels)
            return false
        case .beforeSpeech(let floor):
            if hear(level, at: now, step: step, floor: floor) { return false }
            state = .beforeSpeech(floor: pulled(floor, by: level))
            return false
        case .inSpeech(let floor, let lastSpeech):
            if hear(level, at: now, step: step, floor: floor) { return false }
            let floor = pulled(floor, by: level)
            guard now - lastSpeech >= settings.hangover - Self.clockTolerance else {
                state = .inSpeech(floor: floor, lastSpeech: lastSpeech)
                return false
            }
            state = .afterEnd(floor: floor, end: EndOfSpeech.End(seconds: now, reason: .hangover))
            return true
        case .afterEnd(let floor, let end):
            if hear(level, at: now, step: step, floor: floor) { return false }
            state = .afterEnd(floor: pulled(floor, by: level), end: end)
            return false
        }
    }

    private mutating func measure(_ level: Double, after earlier: [Double]) {
        var levels = earlier
        levels.append(level)
        if levels.count < settings.calibrationReadings {
            state = .measuring(levels: levels)
        } else {
            levels.sort()
            state = .beforeSpeech(floor: levels[levels.count / 2])
        }
    }

    /// True when the level is speech, which is then counted and remembered.
    private mutating func hear(_ level: Double, at now: Double, step: Double, floor: Double) -> Bool {
        guard level > threshold(over: floor) else {
            lastJudgement = .quiet
            return false
        }
        lastJudgement = .speech
        speechSeconds += step
        state = .inSpeech(floor: floor, lastSpeech: now)
        return true
    }

    private func threshold(over floor: Double) -> Double { max(floor + settings.margin, settings.gate) }

    private func pulled(_ floor: Double, by level: Double) -> Double {
        (1 - settings.adapt) * floor + settings.adapt * level
    }
}
