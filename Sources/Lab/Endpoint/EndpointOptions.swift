import EndOfSpeech
import Terminal

/// What the command was asked for.
struct EndpointOptions: Equatable {
    var asked = EndpointAsked()
    var json = false
    /// Where plots go; ends in ".svg".
    var plot: String?
    /// Folders of made sets to score.
    var sets: [String] = []
    var byScenario = false
    /// Files and folders, and the manifests of utterances.
    var paths: [String] = []

    static let names = EndOfSpeech.Rule.allCases.map(\.rawValue).joined(separator: ", ")

    /// Throws `usage` with a sentence for what cannot be understood.
    init(_ arguments: Arguments) throws(CommandError) {
        if let value = arguments["rule"] {
            guard let known = EndOfSpeech.Rule(rawValue: value) else {
                throw .usage("There is no rule \(value); there is: \(Self.names).")
            }
            asked.rule = known
        }
        if let value = arguments["patience"] {
            guard let known = EndOfSpeech.Patience(rawValue: value) else {
                throw .usage("--patience is calm or quick, not \(value).")
            }
            asked.patience = known
        }
        if let value = arguments["hangover"] {
            guard let seconds = Double(value), seconds.isFinite, seconds > 0 else {
                throw .usage("--hangover needs seconds above 0, and \(value) are none.")
            }
            asked.hangover = seconds
        }
        if let value = arguments["plot"] {
            guard value.lowercased().hasSuffix(".svg") else {
                throw .usage("--plot writes an SVG file, and \(value) does not end in .svg.")
            }
            plot = value
        }
        for value in arguments.all("replay") where !value.lowercased().hasSuffix(".json") {
            throw .usage("--replay takes an utterance's manifest, and \(value) does not end in .json.")
        }
        if let value = arguments["by"] {
            guard value == "scenario" else { throw .usage("--by takes scenario, not \(value).") }
            byScenario = true
        }
        json = arguments.has("json")
        sets = arguments.all("score")
        paths = arguments.all("replay") + arguments.words
        if let conflict { throw .usage(conflict) }
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
