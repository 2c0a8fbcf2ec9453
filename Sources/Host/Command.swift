/// One of `lapel-host`'s commands.
struct Command: Sendable {
    let name: String
    /// What follows the name in the help, for example "ID [--json]".
    let synopsis: String
    /// One line.
    let summary: String
    var options: [Arguments.Option] = []
    /// At most so many words.
    var words = 0
    let run: @Sendable (Arguments, Console) throws(CommandError) -> Int32

    static let folderOption = Arguments.Option(
        name: "dir", value: "DIR", help: "the host's folder; default \(HostFolder.explanation)")
    static let jsonOption = Arguments.Option(name: "json", value: nil, help: "print JSON")

    static let all: [Command] = [
        serve, pair, devices, key, list, show, play, files, forget, check, compare,
    ]

    /// The whole help text of the command.
    var help: String {
        var lines = ["lapel-host \(name)" + (synopsis.isEmpty ? "" : " " + synopsis), "", summary]
        if !options.isEmpty { lines.append("") }
        let names = options.map { "--" + $0.name + ($0.value.map { " " + $0 } ?? "") }
        let width = names.map(\.count).max() ?? 0
        for (option, name) in zip(options, names) {
            lines.append("  " + name + String(repeating: " ", count: width - name.count + 2) + option.help)
        }
        return lines.joined(separator: "\n")
    }
}
