import Inbox
import Terminal
import Wire

extension Command {
    static let files = Command(
        name: "files", synopsis: "[--dir DIR] [--json]",
        summary: "List the files that other tus clients sent, oldest first.",
        options: [folderOption, jsonOption],
        run: { arguments, console throws(CommandError) in
            let inbox = try HostFolder.inbox(arguments)
            let files = try explained { try inbox.plainFiles() }
            if arguments.has("json") {
                console.out(.array(files.map(json)))
            } else if files.isEmpty {
                console.out("No other tus client has sent a file.")
            } else {
                console.out(table(files))
            }
            return 0
        })

    private static func json(_ file: PlainFile) -> JSON {
        [
            "file": .string(file.id), "name": .optional(file.name), "device": .string(file.device),
            "device_name": .optional(file.deviceName), "bytes": .integer(file.bytes),
            "sha256": .string(file.sha256), "path": .string(file.path),
            "stored_at_ms": .integer(file.storedAt),
        ]
    }

    private static func table(_ files: [PlainFile]) -> String {
        Table.lines(
            ["ID", "CAME", "DEVICE", "SIZE", "NAME", "PATH"],
            files.map { file in
                [
                    String(file.id.prefix(8)), LocalTime.text(milliseconds: file.storedAt),
                    file.deviceName ?? String(file.device.prefix(8)), Figures.bytes(file.bytes),
                    file.name ?? "", file.path,
                ]
            }
        ).joined(separator: "\n")
    }
}
