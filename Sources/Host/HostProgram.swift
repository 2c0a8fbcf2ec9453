/// The program `lapel-host`: finds the command, runs it, and says errors in one sentence.
package enum HostProgram {
    /// `arguments` without the program's name. Returns the exit code: 0 done, 1 not done, 2 not understood.
    package static func run(_ arguments: [String], console: Console = .standard) -> Int32 {
        do throws(CommandError) {
            return try dispatch(arguments, console)
        } catch {
            console.log("lapel-host: \(error)")
            switch error {
            case .usage: return 2
            case .failed: return 1
            }
        }
    }

    private static func dispatch(_ arguments: [String], _ console: Console) throws(CommandError) -> Int32 {
        guard let name = arguments.first else {
            console.log(overview)
            return 2
        }
        let rest = Array(arguments.dropFirst())
        switch name {
        case "--version":
            console.out("lapel-host \(hostVersion)")
            return 0
        case "help", "--help", "-h":
            console.out(
                try rest.first.map { topic throws(CommandError) in try command(topic).help } ?? overview)
            return 0
        default:
            let command = try command(name)
            if rest.contains("--help") || rest.contains("-h") {
                console.out(command.help)
                return 0
            }
            return try command.run(
                Arguments(rest, options: command.options, words: command.words, command: name), console)
        }
    }

    private static func command(_ name: String) throws(CommandError) -> Command {
        guard let command = Command.all.first(where: { $0.name == name }) else {
            throw .usage("There is no command \"\(name)\"; see `lapel-host help`.")
        }
        return command
    }

    private static var overview: String {
        let width = Command.all.map(\.name.count).max() ?? 0
        let commands = Command.all.map { command in
            "  " + command.name + String(repeating: " ", count: width - command.name.count + 2)
                + command.summary
        }
        return
            (["lapel-host: the host that keeps what Lapel devices record.", ""] + commands + [
                "", "lapel-host help COMMAND tells more; lapel-host --version tells the version.",
            ]).joined(separator: "\n")
    }
}
