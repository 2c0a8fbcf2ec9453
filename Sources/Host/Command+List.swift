import Inbox
import Terminal
import Wire

extension Command {
    static let list = Command(
        name: "list", synopsis: "[--last N | --forgotten | --follow] [--dir DIR] [--json]",
        summary: "List the utterances, oldest first, or tell what happens from now on.",
        options: [
            .init(name: "last", value: "N", help: "only the N that came last"),
            .init(name: "forgotten", value: nil, help: "those that were withdrawn with `lapel-host forget`"),
            .init(
                name: "follow", value: nil,
                help: "print what happens from now on, a line each, until it is interrupted"),
            folderOption, jsonOption,
        ],
        run: { arguments, console throws(CommandError) in
            let last = try arguments.number("last", in: 1...1_000_000_000) ?? .max
            guard ["last", "forgotten", "follow"].filter({ arguments.has($0) }).count <= 1 else {
                throw .usage("Give one of --last, --forgotten and --follow.")
            }
            let inbox = try HostFolder.inbox(arguments)
            if arguments.has("follow") { try follow(inbox, json: arguments.has("json"), console) }
            if arguments.has("forgotten") {
                listForgotten(try explained { try inbox.forgotten() }, json: arguments.has("json"), console)
                return 0
            }
            let utterances = try explained { try inbox.utterances(limit: last) }
            var known = inbox.times()
            let times = try explained { try utterances.map { try UtteranceTime(of: $0, in: &known) } }
            if arguments.has("json") {
                console.out(.array(zip(utterances, times).map { $0.summary($1) }))
            } else if utterances.isEmpty {
                console.out("There is no utterance yet.")
            } else {
                console.out(table(utterances, times))
            }
            return 0
        })

    private static func table(_ utterances: [StoredUtterance], _ times: [UtteranceTime]) -> String {
        Table.lines(
            ["ID", "BEGAN", "DEVICE", "LENGTH", "SPEECH", "END", "STATE"],
            zip(utterances, times).map { utterance, time in
                let manifest = utterance.manifest
                return [
                    String(utterance.id.prefix(8)),
                    LocalTime.text(milliseconds: time.milliseconds) + time.doubt,
                    utterance.deviceName ?? String(utterance.device.prefix(8)),
                    manifest.map { Figures.seconds($0.seconds) } ?? "",
                    manifest.map { Figures.seconds($0.speechSeconds) } ?? "",
                    manifest?.endReason ?? "", utterance.state.rawValue,
                ]
            }
        ).joined(separator: "\n")
    }
}

extension UtteranceTime {
    /// A mark behind a time that may be wrong.
    var doubt: String {
        switch source {
        case .contact, .device: ""
        case .neighbours: (uncertaintyMilliseconds ?? .max) > 60_000 ? " ?" : ""
        case .unsure, .arrival: " ?"
        }
    }
}
