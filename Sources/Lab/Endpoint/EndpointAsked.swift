import EndOfSpeech

/// Which rule was asked for, as far as it was; what is left open depends on the input.
struct EndpointAsked: Equatable {
    /// Nil: a recording is judged by `lapel`, as a device does it; a meter trace, which holds levels alone, by
    /// `reference`; an utterance by the rule that judged it.
    var rule: EndOfSpeech.Rule?
    /// Nil: calm, or an utterance's own figures.
    var patience: EndOfSpeech.Patience?
    /// In seconds; nil: the rule's own.
    var hangover: Double?

    /// Why the words do not go together; nil when they do.
    var conflict: String? {
        guard rule == .reference, patience == .quick else { return nil }
        return
            "--patience quick does not go with --rule reference, which is always calm; ask for --rule lapel."
    }

    /// The rule for a recording, fresh.
    var forSound: EndOfSpeech { fresh(rule ?? .lapel) }

    /// The rule for a meter trace, fresh.
    func forLevels(path: String) throws -> EndOfSpeech {
        if rule == .lapel || patience == .quick { throw EndpointError.levelsAlone(path: path) }
        return fresh(.reference)
    }

    /// The rule that judged an utterance, fresh, with the utterance's figures unless others are asked for.
    func forUtterance(_ utterance: UtteranceReadings) throws -> EndOfSpeech {
        let rule = rule ?? utterance.rule
        if rule == .lapel, !utterance.holdsSpeech { throw EndpointError.levelsAlone(path: utterance.path) }
        guard rule == utterance.rule, patience == nil else {
            if rule == .reference, patience == .quick { throw EndpointError.calmRule(path: utterance.path) }
            return fresh(rule)
        }
        switch rule {
        case .reference:
            var parameters = EndOfSpeech.Parameters(byName: utterance.parameters)
            parameters.hangover = hangover ?? parameters.hangover
            return EndOfSpeech(parameters: parameters)
        case .lapel:
            var parameters = EndOfSpeech.LapelParameters(byName: utterance.parameters)
            if let hangover { parameters.setHangover(hangover) }
            return EndOfSpeech(parameters: parameters)
        }
    }

    private func fresh(_ rule: EndOfSpeech.Rule) -> EndOfSpeech {
        EndOfSpeech(rule: rule, patience: patience ?? .calm, hangover: hangover)
    }
}
