/// Hears when the wearer has finished: one observation per 100 ms in, true at the end.
///
/// A machine: it has no clock, so time is an argument, and any origin will do. It goes on judging after an
/// end, because in a memo or under a held button an end is marked and listening goes on; then every pause
/// that is long enough is an end once.
///
/// ```swift
/// var rule = EndOfSpeech()
/// if rule.feed(reading.dbfs, at: 4.7) { … }
/// ```
package struct EndOfSpeech: Equatable, Sendable {
    /// The rules there are, by the name that settings and manifests carry.
    package enum Rule: String, Equatable, Hashable, Sendable, CaseIterable {
        /// Level against a floor measured at the start, from levels alone; trials compare against it.
        case reference
    }

    /// What the rule made of one observation.
    package enum Judgement: String, Equatable, Sendable {
        /// It measured the room; never speech.
        case calibrating
        case quiet
        case speech
        /// The level or the time was not finite; nothing changed.
        case ignored
    }

    /// The part of a rule that ended an utterance, by the name that manifests carry.
    package enum Reason: String, Equatable, Sendable {
        /// Quiet for the whole hangover after the last speech.
        case hangover
    }

    /// An end, and what decided it.
    package struct End: Equatable, Sendable {
        /// The time of the observation that ended the utterance.
        package let seconds: Double
        package let reason: Reason

        package init(seconds: Double, reason: Reason) {
            self.seconds = seconds
            self.reason = reason
        }
    }

    private enum State: Equatable, Sendable {
        /// The first levels; when all are in, their median is the floor.
        case measuring(levels: [Double])
        case beforeSpeech(floor: Double)
        case inSpeech(floor: Double, lastSpeech: Double)
        /// The end has been told; speech begins anew.
        case afterEnd(floor: Double, end: End)
    }

    /// Clocks that sum steps of 0.1 s may fall this short of the hangover.
    private static let clockTolerance = 0.001
    /// Sums of 0.1 s may fall this short of the least speech.
    private static let sumTolerance = 1e-9

    package let rule: Rule
    package let settings: Parameters
    private var state: State
    private var previous: Double?

    /// Speech heard so far, in seconds: of each speech reading, the time since the reading before it.
    package private(set) var speechSeconds = 0.0
    /// What was made of the latest observation; nil before the first.
    package private(set) var lastJudgement: Judgement?

    /// - Parameter parameters: other figures than the rule's own, to replay an utterance with them.
    package init(rule: Rule = .reference, parameters: Parameters? = nil) {
        self.rule = rule
        settings = parameters ?? rule.parameters
        state = .measuring(levels: [])
    }

    /// Level of the room in dBFS; nil while it is measured.
    package var floor: Double? {
        switch state {
        case .measuring: nil
        case .beforeSpeech(let floor), .inSpeech(let floor, _), .afterEnd(let floor, _): floor
        }
    }

    /// A reading above this level, in dBFS, is speech; nil while the room is measured.
    package var threshold: Double? { floor.map(threshold(over:)) }

    /// The end, from the observation that brought it until somebody speaks again.
    package var end: End? {
        switch state {
        case .afterEnd(_, let end): end
        case .measuring, .beforeSpeech, .inSpeech: nil
        }
    }

    /// Any speech at all so far.
    package var hasSpoken: Bool {
        switch state {
        case .inSpeech, .afterEnd: true
        case .measuring, .beforeSpeech: false
        }
    }

    /// The latest observation was speech.
    package var lastWasSpeech: Bool { lastJudgement == .speech }

    /// There is enough speech for the utterance to be worth sending.
    package var enoughToSend: Bool { speechSeconds >= settings.minimumSpeech - Self.sumTolerance }

    /// The rule's figures by name, for the manifest.
    package var parameters: [String: Double] { settings.byName }

    /// Judges a level alone: the whole of an observation for the reference rule.
    ///
    /// - Parameters:
    ///   - dbfs: level of 100 ms; a full-scale sine reads 0, silence −120.
    ///   - seconds: the end of those 100 ms.
    /// - Returns: true at the end of the utterance, once for every pause.
    package mutating func feed(_ dbfs: Double, at seconds: Double) -> Bool {
        feed(Observation(dbfs: dbfs, seconds: seconds))
    }

    /// Judges one observation of a front end.
    ///
    /// An observation whose level or time is not finite is ignored. A time not later than the one before adds
    /// no speech and is judged like any other; a time that goes back is the next one's "before".
    ///
    /// - Returns: true at the end of the utterance, once for every pause.
    package mutating func feed(_ observation: Observation) -> Bool {
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
            state = .afterEnd(floor: floor, end: End(seconds: now, reason: .hangover))
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
