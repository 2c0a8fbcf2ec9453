extension EndOfSpeech {
    /// The rules there are, by the name that settings and manifests carry.
    package enum Rule: String, Equatable, Hashable, Sendable, CaseIterable {
        /// A trained ear: the probability of speech in each 20 ms. What a device ships with.
        case lapel
        /// Level against a floor measured at the start, from levels alone; trials compare against it.
        case reference
    }

    /// How long a pause may last, by the name that settings carry.
    package enum Patience: String, Equatable, Hashable, Sendable, CaseIterable {
        /// Three seconds of quiet: pauses for thought stay inside the utterance.
        case calm
        /// As short as the confidence allows; the rule `lapel` alone can.
        case quick
    }

    /// What the rule made of one observation.
    package enum Judgement: String, Equatable, Sendable {
        /// It measured the room; never speech.
        case calibrating
        case quiet
        case speech
        /// The level or the time was not finite, the rule was not told what it needs, or the observation came twice;
        /// nothing changed.
        case ignored
    }

    /// The part of a rule that ended an utterance, by the name that manifests carry.
    package enum Reason: String, Equatable, Sendable, CaseIterable {
        /// Quiet for the whole hangover after the last speech.
        case hangover
        /// Patience `quick`: nothing like speech came since the last word, for the short hangover.
        case quickHangover = "quick hangover"
        /// Patience `quick`: something might have been speech, so the longer hangover passed.
        case doubtfulHangover = "doubtful hangover"
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
}
