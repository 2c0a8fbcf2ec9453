/// One of a program's commands.
package struct Command: Sendable {
    /// One option that a command understands.
    package struct Option: Sendable {
        package let name: String
        /// What stands for its value in the help, for example "A:P"; nil for an option without one.
        package let value: String?
        package let help: String
        /// It may be given more than once.
        package let repeats: Bool

        package init(name: String, value: String?, help: String, repeats: Bool = false) {
            self.name = name
            self.value = value
            self.help = help
            self.repeats = repeats
        }
    }

    package let name: String
    /// What follows the name in the help, for example "ID [--json]".
    let synopsis: String
    /// One line.
    let summary: String
    let options: [Option]
    /// At most so many words.
    let words: Int
    /// What the help says beside it.
    let notes: String?
    /// Returns the exit code.
    let run: @Sendable (Arguments, Console) throws(CommandError) -> Int32

    /// - Parameters:
    ///   - synopsis: what follows the name in the help.
    ///   - summary: one line.
    ///   - words: how many words the command takes at most.
    ///   - notes: the end of its help, several lines.
    ///   - run: does it and returns the exit code: 0 done, 1 not done.
    package init(
        name: String, synopsis: String, summary: String, options: [Option] = [], words: Int = 0,
        notes: String? = nil, run: @escaping @Sendable (Arguments, Console) throws(CommandError) -> Int32
    ) {
        self.name = name
        self.synopsis = synopsis
        self.summary = summary
        self.options = options
        self.words = words
        self.notes = notes
        self.run = run
    }

    /// Prints JSON.
    package static let jsonOption = Option(name: "json", value: nil, help: "print JSON")

    /// The whole help text of the command.
    func help(of program: String) -> String {
        var lines = ["\(program) \(name)" + (synopsis.isEmpty ? "" : " " + synopsis), "", summary]
        if !options.isEmpty { lines.append("") }
        let names = options.map { "--" + $0.name + ($0.value.map { " " + $0 } ?? "") }
        let width = names.map(\.count).max() ?? 0
        for (option, name) in zip(options, names) {
            let (first, rest) = (
                option.help.split(separator: "\n").first ?? "", option.help.split(separator: "\n").dropFirst()
            )
            lines.append("  " + name + String(repeating: " ", count: width - name.count + 2) + first)
            lines += rest.map { String(repeating: " ", count: width + 4) + $0 }
        }
        if let notes { lines += ["", notes] }
        return lines.joined(separator: "\n")
    }

    /// The arguments behind the command's name, read by its options.
    func arguments(_ rest: [String]) throws(CommandError) -> Arguments {
        let arguments = try Arguments(
            rest, flags: Set(options.filter { $0.value == nil }.map(\.name)),
            values: Set(options.filter { $0.value != nil }.map(\.name)),
            repeated: Set(options.filter(\.repeats).map(\.name)))
        try arguments.nothingElse(after: words)
        return arguments
    }
}
