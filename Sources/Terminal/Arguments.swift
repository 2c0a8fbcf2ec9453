/// A command line, taken apart: flags, options with values, settings, and the words that are left.
package struct Arguments: Sendable {
    private var flags: Set<String> = []
    private var values: [String: [String]] = [:]
    /// Settings given as options, in their order, each by its key.
    package private(set) var settings: [(key: String, value: String)] = []
    /// What is no option, in its order.
    package private(set) var words: [String] = []

    /// Reads `--name value`, `--name=value` and `--flag`; everything else is a word.
    ///
    /// - Parameters:
    ///   - flags: options without a value, as `--json`.
    ///   - named: options with a value, as `--config`.
    ///   - repeated: of `named`, those that may be given more than once.
    ///   - isSetting: whether there is a setting of that key; then it is an option, too, and `-` stands for `_`. A
    ///     setting that is given again overrules itself.
    /// - Throws: `usage` for what no option is, for a missing value, one too many and one given twice.
    package init(
        _ arguments: [String], flags: Set<String> = [], values named: Set<String> = [],
        repeated: Set<String> = [], isSetting: (_ key: String) -> Bool = { _ in false }
    ) throws(CommandError) {
        var remaining = arguments[...]
        while let argument = remaining.popFirst() {
            guard argument.hasPrefix("--"), argument.utf8.count > 2 else {
                words.append(argument)
                continue
            }
            let parts = argument.dropFirst(2).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            let given = parts.count == 2 ? String(parts[1]) : nil
            if flags.contains(name) {
                guard given == nil else { throw .usage("--\(name) takes no value.") }
                guard self.flags.insert(name).inserted else { throw Self.twice(name) }
                continue
            }
            let key = String(name.map { $0 == "-" ? "_" : $0 })
            let isNamed = named.contains(name)
            guard isNamed || isSetting(key) else {
                throw .usage("There is no option --\(name) here; `--help` lists what there is.")
            }
            guard let value = given ?? remaining.popFirst() else { throw .usage("--\(name) needs a value.") }
            if isNamed {
                guard values[name] == nil || repeated.contains(name) else { throw Self.twice(name) }
                values[name, default: []].append(value)
            } else {
                settings.append((key, value))
            }
        }
    }

    private static func twice(_ name: String) -> CommandError {
        .usage("--\(name) stands twice; give it once.")
    }

    /// Whether the option is there, with or without a value.
    package func has(_ name: String) -> Bool { flags.contains(name) || values[name] != nil }

    /// The option's first value.
    package subscript(name: String) -> String? { values[name]?.first }

    /// All values of an option that may be repeated, in their order.
    package func all(_ name: String) -> [String] { values[name] ?? [] }

    /// A whole number in `range`; nil when the option is not there. Throws `usage` for anything else.
    package func number(_ name: String, in range: ClosedRange<Int>) throws(CommandError) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .usage(
                "--\(name) wants a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"."
            )
        }
        return number
    }

    /// Refuses the word behind the first `most`, if there is one, as `usage`.
    package func nothingElse(after most: Int = 0) throws(CommandError) {
        if words.count > most { throw .usage("\"\(words[most])\" is not expected here.") }
    }
}
