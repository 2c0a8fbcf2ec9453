import Inbox
import Terminal
import Wire

extension Command {
    static let check = Command(
        name: "check", synopsis: "[--dir DIR] [--json]",
        summary:
            "Verify every stored byte against its hash, open all that is sealed, compare files and rows.",
        options: [folderOption, jsonOption],
        run: { arguments, console throws(CommandError) in
            let inbox = try HostFolder.inbox(arguments)
            let check = try explained { try inbox.check() }
            if arguments.has("json") {
                console.out([
                    "checked": .integer(check.checked), "bytes": .integer(check.bytes),
                    "problems": .array(
                        check.problems.map { problem in
                            [
                                "kind": .string(problem.kind.rawValue), "subject": .string(problem.subject),
                                "explanation": .string(problem.explanation),
                            ]
                        }),
                ])
            } else {
                for problem in check.problems { console.out(problem.explanation) }
                let what = "\(check.checked) files and manifests, \(Figures.bytes(check.bytes))"
                console.out(
                    check.problems.isEmpty
                        ? "All is well: \(what)." : "\(check.problems.count) problems in \(what).")
            }
            return check.problems.isEmpty ? 0 : 1
        })
}
