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
    private enum Machine: Equatable, Sendable {
        case reference(ReferenceRule)
        case lapel(LapelRule)
    }

    private var machine: Machine

    /// A rule with its own figures.
    ///
    /// - Parameters:
    ///   - patience: `quick` is the rule `lapel`'s alone; the reference rule is always calm.
    ///   - hangover: another one than the rule's own, in seconds. For `quick` the longer one keeps its distance.
    package init(rule: Rule = .reference, patience: Patience = .calm, hangover: Double? = nil) {
        switch rule {
        case .reference:
            var parameters = Parameters()
            parameters.hangover = hangover ?? parameters.hangover
            self.init(parameters: parameters)
        case .lapel:
            var parameters = LapelParameters(patience: patience)
            if let hangover { parameters.setHangover(hangover) }
            self.init(parameters: parameters)
        }
    }

    /// The reference rule, with other figures than its own.
    package init(parameters: Parameters) { machine = .reference(ReferenceRule(parameters)) }

    /// The rule `lapel`, with other figures than its own.
    package init(parameters: LapelParameters) { machine = .lapel(LapelRule(parameters)) }

    package var rule: Rule {
        switch machine {
        case .reference: .reference
        case .lapel: .lapel
        }
    }

    /// Quiet after the last speech that ends the utterance, in seconds; with patience `quick`, where nothing is doubtful.
    package var hangover: Double {
        switch machine {
        case .reference(let rule): rule.settings.hangover
        case .lapel(let rule): rule.settings.hangover
        }
    }

    /// Speech heard so far, in seconds. Of the reference rule: of each speech reading, the time since the reading before
    /// it; of `lapel`, its frames of speech.
    package var speechSeconds: Double {
        switch machine {
        case .reference(let rule): rule.speechSeconds
        case .lapel(let rule): rule.speechSeconds
        }
    }

    /// What was made of the latest observation; nil before the first.
    package var lastJudgement: Judgement? {
        switch machine {
        case .reference(let rule): rule.lastJudgement
        case .lapel(let rule): rule.lastJudgement
        }
    }

    /// Level of the room in dBFS; nil while it is measured.
    package var floor: Double? {
        switch machine {
        case .reference(let rule): rule.floor
        case .lapel(let rule): rule.floor
        }
    }

    /// A reading above this level, in dBFS, is speech; nil while the room is measured, and of a rule that does not go by
    /// the level.
    package var threshold: Double? {
        switch machine {
        case .reference(let rule): rule.threshold
        case .lapel: nil
        }
    }

    /// Of a rule that goes by probabilities: at or above the first speech begins, below the second it is over.
    package var probabilityThresholds: (on: Double, off: Double)? {
        switch machine {
        case .reference: nil
        case .lapel(let rule): (rule.settings.on, rule.settings.off)
        }
    }

    /// The end, from the observation that brought it until somebody speaks again.
    package var end: End? {
        switch machine {
        case .reference(let rule): rule.end
        case .lapel(let rule): rule.end
        }
    }

    /// Any speech at all so far; of `lapel`, enough of it to be sure.
    package var hasSpoken: Bool {
        switch machine {
        case .reference(let rule): rule.hasSpoken
        case .lapel(let rule): rule.hasSpoken
        }
    }

    /// The latest observation was speech.
    package var lastWasSpeech: Bool { lastJudgement == .speech }

    /// There is enough speech for the utterance to be worth sending.
    package var enoughToSend: Bool {
        switch machine {
        case .reference(let rule): rule.enoughToSend
        case .lapel(let rule): rule.hasSpoken
        }
    }

    /// How long the quiet must still last until the end, in seconds; nil when no end is near: before speech, and after
    /// the end.
    package var secondsToEnd: Double? {
        switch machine {
        case .reference(let rule): rule.secondsToEnd
        case .lapel(let rule): rule.secondsToEnd
        }
    }

    /// The rule's figures by name, for the manifest.
    package var parameters: [String: Double] {
        switch machine {
        case .reference(let rule): rule.settings.byName
        case .lapel(let rule): rule.settings.byName
        }
    }

    /// Judges a level alone: the whole of an observation for the reference rule. The rule `lapel` ignores it.
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
    /// An observation whose level or time is not finite is ignored. Of the reference rule: a time not later than the one
    /// before adds no speech and is judged like any other; a time that goes back is the next one's "before".
    ///
    /// - Returns: true at the end of the utterance, once for every pause.
    package mutating func feed(_ observation: Observation) -> Bool {
        switch machine {
        case .reference(var rule):
            defer { machine = .reference(rule) }
            return rule.feed(observation)
        case .lapel(var rule):
            defer { machine = .lapel(rule) }
            return rule.feed(observation)
        }
    }
}
