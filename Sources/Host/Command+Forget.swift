import Catalogue
import Inbox
import Terminal
import Wire

extension Command {
    static let forget = Command(
        name: "forget", synopsis: "ID… [--dir DIR] [--json]",
        summary:
            "Delete utterances, or files of other clients, for good; a device that offers them again is thanked.",
        options: [folderOption, jsonOption], words: 10_000,
        run: { arguments, console throws(CommandError) in
            guard !arguments.words.isEmpty else {
                throw .usage("`lapel-host forget` wants the ids of utterances; see `lapel-host list`.")
            }
            let inbox = try HostFolder.inbox(arguments, writes: true)
            // All are found before the first is deleted.
            let ids = try arguments.words.map { word throws(CommandError) in
                try whole(word.lowercased(), inbox)
            }
            for id in ids {
                guard try explained({ try inbox.forget(utterance: id) }) else {
                    throw .failed("Utterance \(id.prefix(8)) is not known.")
                }
                if !arguments.has("json") { console.out("Forgot utterance \(id).") }
            }
            if arguments.has("json") { console.out(["forgotten": .array(ids.map(JSON.string))]) }
            return 0
        })

    /// Nothing is deleted by a slip: 8 digits, which `list` prints, at least.
    private static func whole(_ prefix: String, _ inbox: Inbox) throws(CommandError) -> String {
        guard prefix.utf8.count >= 8 else {
            throw .usage("\"\(prefix)\" is too short to delete by: give at least 8 digits of the id.")
        }
        var found = Set(try explained { try inbox.utterances(idPrefix: prefix, limit: 2) }.map(\.id))
        found.formUnion(try explained { try inbox.plainFiles(idPrefix: prefix) }.map(\.id))
        // One that was forgotten may be forgotten again: a crash may have left a file.
        found.formUnion(try explained { try inbox.forgotten(idPrefix: prefix) }.map(\.id))
        guard let id = found.first else {
            throw .failed(
                "There is no utterance or file whose id begins with \(prefix); see `lapel-host list` and `files`."
            )
        }
        guard found.count == 1 else {
            throw .failed("Several utterances or files have ids that begin with \(prefix): give more of it.")
        }
        return id
    }

    static func listForgotten(_ all: [ForgottenUtterance], json: Bool, _ console: Console) {
        if json {
            console.out(
                .array(
                    all.map { one in
                        [
                            "utterance": .string(one.id), "seq": .integer(one.seq),
                            "device": .string(one.device),
                            "forgotten_at_ms": .integer(one.forgottenAt),
                        ]
                    }))
        } else if all.isEmpty {
            console.out("No utterance was forgotten.")
        } else {
            console.out(
                Table.lines(
                    ["ID", "FORGOTTEN", "DEVICE"],
                    all.map { one in
                        [
                            String(one.id.prefix(8)), LocalTime.text(milliseconds: one.forgottenAt),
                            String(one.device.prefix(8)),
                        ]
                    }
                ).joined(separator: "\n"))
        }
    }
}
