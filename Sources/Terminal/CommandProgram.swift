/// A program that is a list of commands: finds the command, runs it, and says errors in one sentence.
package struct CommandProgram: Sendable {
    private let name: String
    private let summary: String
    private let version: String
    private let commands: [Command]

    /// - Parameter summary: what the program is, behind its name: a sentence.
    package init(name: String, summary: String, version: String, commands: [Command]) {
        self.name = name
        self.summary = summary
        self.version = version
        self.commands = commands
    }

    /// `arguments` without the program's name. Returns the exit code: 0 done, 1 not done, 2 not understood.
    package func run(_ arguments: [String], console: Console = .standard) -> Int32 {
        do throws(CommandError) {
            return try dispatch(arguments, console)
        } catch {
            console.log("\(name): \(error)")
            switch error {
            case .usage: return 2
            case .failed: return 1
            }
        }
    }

    private func dispatch(_ arguments: [String], _ console: Console) throws(CommandError) -> Int32 {
        guard let first = arguments.first else {
            console.log(overview)
            return 2
        }
        let rest = Array(arguments.dropFirst())
        switch first {
        case "--version":
            console.out("\(name) \(version)")
            return 0
        case "help", "--help", "-h":
            console.out(
                try rest.first.map { topic throws(CommandError) in try command(topic).help(of: name) }
                    ?? overview)
            return 0
        default:
            let command = try command(first)
            if rest.contains("--help") || rest.contains("-h") {
                console.out(command.help(of: name))
                return 0
            }
            return try command.run(command.arguments(rest), console)
        }
    }

    private func command(_ wanted: String) throws(CommandError) -> Command {
        guard let command = commands.first(where: { $0.name == wanted }) else {
            throw .usage("There is no command \"\(wanted)\"; see `\(name) help`.")
        }
        return command
    }

    private var overview: String {
        let width = commands.map(\.name.count).max() ?? 0
        let lines = commands.map { command in
            "  " + command.name + String(repeating: " ", count: width - command.name.count + 2)
                + command.summary
        }
        return
            (["\(name): \(summary)", ""] + lines + [
                "", "\(name) help COMMAND tells more; \(name) --version tells the version.",
            ]).joined(separator: "\n")
    }
}
