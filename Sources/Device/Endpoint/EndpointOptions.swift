import EndOfSpeech

/// What the command was asked for.
struct EndpointOptions: Equatable {
    enum Parsed: Equatable {
        case run(EndpointOptions)
        case help
        /// The sentence says what cannot be understood.
        case misuse(String)
    }

    /// Untouched: every file is judged by a copy of its own.
    var rule = EndOfSpeech()
    var json = false
    /// Where plots go; ends in ".svg".
    var plot: String?
    var paths: [String] = []

    static let usage =
        "usage: lapel endpoint [--rule reference] [--json] [--plot OUT.svg] [--hangover S] FILE…"

    static let help = """
        \(usage)

        Says where a rule hears the end of speech.

        FILE is a WAV file of any rate and channel count (channels are mixed to one, levels are taken as they
        are, every 100 ms), a meter trace (.csv with the columns time_s,dbfs; lines with # are comments), or a
        folder: then every .wav and .csv in it, by name, but not in folders inside it.

          --rule NAME      the rule to ask: \(names) (default)
          --json           one object a line: file, rule, hangover_s, duration_s, end_s (null: never ends),
                           speech_s, send, reason
          --plot OUT.svg   draw level, floor, threshold, speech and the end; for several files one drawing
                           each: OUT-NAME.svg, for example OUT-press.wav.svg
          --hangover S     another hangover than the rule's own, in seconds
          --help           this text

        end_s is the time of the reading that ended the utterance, send is true when there was enough speech.
        Exit code: 0; 1 when a file could not be read (the others are still done); 2 for wrong arguments.
        """

    private static let names = EndOfSpeech.Rule.allCases.map(\.rawValue).joined(separator: ", ")

    static func parse(_ arguments: [String]) -> Parsed {
        var options = EndpointOptions()
        var rule = EndOfSpeech.Rule.reference
        var hangover: Double?
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
            case "--rule", "--plot", "--hangover":
                guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
                    return .misuse("\(name) needs a value.")
                }
                switch name {
                case "--rule":
                    guard let known = EndOfSpeech.Rule(rawValue: value) else {
                        return .misuse("There is no rule \(value); there is: \(names).")
                    }
                    rule = known
                case "--plot":
                    guard value.lowercased().hasSuffix(".svg") else {
                        return .misuse("--plot writes an SVG file, and \(value) does not end in .svg.")
                    }
                    options.plot = value
                default:
                    guard let seconds = Double(value), seconds.isFinite, seconds > 0 else {
                        return .misuse("--hangover needs seconds above 0, and \(value) are none.")
                    }
                    hangover = seconds
                }
            case _ where attached != nil: return .misuse("\(name) is no option that takes a value.")
            case "--json": options.json = true
            case "--help", "-h": return .help
            case "--": onlyPaths = true
            default: return .misuse("There is no option \(name).")
            }
        }
        guard !options.paths.isEmpty else { return .misuse("Name a file or a folder.") }
        var parameters = rule.parameters
        if let hangover { parameters.hangover = hangover }
        options.rule = EndOfSpeech(rule: rule, parameters: parameters)
        return .run(options)
    }
}
