/// A command's arguments, read against what the command knows.
package struct Arguments: Sendable {
    /// One option a command understands.
    struct Option: Sendable {
        let name: String
        /// What stands for its value in the help, for example "A:P"; nil for an option without one.
        let value: String?
        let help: String
        /// It may be given more than once.
        var repeats = false
    }

    private var values: [String: [String]] = [:]
    private(set) var words: [String] = []

    /// Reads `--name value`, `--name=value`, `--flag`; everything else is a word. Throws `usage` for what no
    /// option is, for a missing value and for more than `most` words.
    init(_ arguments: [String], options: [Option], words most: Int, command: String) throws(CommandError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--"), argument.utf8.count > 2 else {
                words.append(argument)
                continue
            }
            let parts = argument.dropFirst(2).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let option = options.first(where: { $0.name == parts[0] }) else {
                throw .usage(
                    "`lapel-host \(command)` has no option --\(parts[0]); see `lapel-host help \(command)`.")
            }
            var value = parts.count == 2 ? String(parts[1]) : nil
            if let placeholder = option.value {
                if value == nil { value = rest.popFirst() }
                guard value != nil else {
                    throw .usage("--\(option.name) wants a value: --\(option.name) \(placeholder).")
                }
            } else if value != nil {
                throw .usage("--\(option.name) takes no value.")
            }
            guard values[option.name] == nil || option.repeats else {
                throw .usage("--\(option.name) stands twice; give it once.")
            }
            values[option.name, default: []].append(value ?? "")
        }
        guard words.count <= most else {
            throw .usage("`lapel-host \(command)` does not know what to do with \"\(words[most])\".")
        }
    }

    func has(_ name: String) -> Bool { values[name] != nil }
    subscript(name: String) -> String? { values[name]?.first }
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// A whole number in `range`; nil when the option is not there.
    func number(_ name: String, in range: ClosedRange<Int>) throws(CommandError) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .usage(
                "--\(name) wants a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"."
            )
        }
        return number
    }
}
