import EndOfSpeech

/// What the command was asked for.
struct EndpointOptions: Equatable {
    enum Parsed: Equatable {
        case run(EndpointOptions)
        case help
        /// The sentence says what cannot be understood.
        case misuse(String)
    }

    var asked = EndpointAsked()
    var json = false
    /// Where plots go; ends in ".svg".
    var plot: String?
    /// Folders of made sets to score.
    var sets: [String] = []
    var byScenario = false
    /// Files and folders, and the manifests of utterances.
    var paths: [String] = []

    static let usage =
        "usage: lapel-lab endpoint [--rule lapel|reference] [--patience quick] [--hangover S] [--json] [--plot OUT.svg] FILE…"

    static let help = """
        \(usage)
               lapel-lab endpoint --replay UTTERANCE.json [--hangover S] …
               lapel-lab endpoint --score SET [--by scenario] …

        Says where a rule hears the end of speech.

        FILE is a WAV file of any rate and channel count (channels are mixed to one, levels are taken as they
        are, every 100 ms), a meter trace (.csv with the columns time_s,dbfs; lines with # are comments), the
        manifest of a stored utterance (.json), or a folder: then every .wav and .csv in it, by name, but not in
        folders inside it.

          --rule NAME      the rule to ask: \(names). Without it a recording is judged by lapel, as the device
                           does it, a meter trace, which holds levels alone, by reference, and an utterance by
                           the rule that judged it
          --patience P     calm (default), or quick: as short as lapel can be sure with
          --hangover S     another hangover than the rule's own, in seconds
          --json           one object a line: file, rule, hangover_s, duration_s, end_s (null: never ends),
                           speech_s, send, reason
          --plot OUT.svg   draw level, floor, threshold, probability, speech and the end; for several files one
                           drawing each: OUT-NAME.svg, for example OUT-press.wav.svg
          --replay FILE    judge an utterance again from its manifest, with the figures it was judged with
                           unless others are named
          --score SET      judge a made set (a folder with manifest.json and wav/) and print the shares of its
                           turns that ended well, late, early or never
          --by scenario    with --score: a line for each situation, too
          --help           this text

        end_s is the time of the reading that ended the utterance, send is true when there was enough speech.
        Exit code: 0; 1 when a file could not be read (the others are still done); 2 for wrong arguments.
        """

    static let names = EndOfSpeech.Rule.allCases.map(\.rawValue).joined(separator: ", ")

    private static let withValue: Set<String> = [
        "--rule", "--patience", "--plot", "--hangover", "--replay", "--score", "--by",
    ]

    static func parse(_ arguments: [String]) -> Parsed {
        var options = EndpointOptions()
        var rest = arguments[...]
        var onlyPaths = false
        while let word = rest.popFirst() {
            guard !onlyPaths, word.hasPrefix("-"), word != "-" else {
                options.paths.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            let attached = parts.count == 2 ? String(parts[1]) : nil
            switch name {
            case _ where withValue.contains(name):
                guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
                    return .misuse("\(name) needs a value.")
                }
                if let sentence = options.take(name, value) { return .misuse(sentence) }
            case _ where attached != nil: return .misuse("\(name) is no option that takes a value.")
            case "--json": options.json = true
            case "--help", "-h": return .help
            case "--": onlyPaths = true
            default: return .misuse("There is no option \(name).")
            }
        }
        if let conflict = options.conflict { return .misuse(conflict) }
        return .run(options)
    }

    /// Takes the value of an option over; a sentence when it is none.
    private mutating func take(_ name: String, _ value: String) -> String? {
        switch name {
        case "--rule":
            guard let known = EndOfSpeech.Rule(rawValue: value) else {
                return "There is no rule \(value); there is: \(Self.names)."
            }
            asked.rule = known
        case "--patience":
            guard let known = EndOfSpeech.Patience(rawValue: value) else {
                return "--patience is calm or quick, not \(value)."
            }
            asked.patience = known
        case "--plot":
            guard value.lowercased().hasSuffix(".svg") else {
                return "--plot writes an SVG file, and \(value) does not end in .svg."
            }
            plot = value
        case "--hangover":
            guard let seconds = Double(value), seconds.isFinite, seconds > 0 else {
                return "--hangover needs seconds above 0, and \(value) are none."
            }
            asked.hangover = seconds
        case "--replay":
            guard value.lowercased().hasSuffix(".json") else {
                return "--replay takes an utterance's manifest, and \(value) does not end in .json."
            }
            paths.append(value)
        case "--by":
            guard value == "scenario" else { return "--by takes scenario, not \(value)." }
            byScenario = true
        default: sets.append(value)  // --score, the last of `withValue`
        }
        return nil
    }

    private var conflict: String? {
        if let conflict = asked.conflict { return conflict }
        if sets.isEmpty {
            if byScenario { return "--by scenario belongs to --score." }
            return paths.isEmpty ? "Name a file or a folder." : nil
        }
        guard paths.isEmpty, plot == nil, !json else {
            return "--score judges whole sets and goes with --rule, --patience, --hangover and --by alone."
        }
        return nil
    }
}
