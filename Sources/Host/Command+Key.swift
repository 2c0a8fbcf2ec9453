import DurableFiles
import Inbox
import Terminal
import Wire

extension Command {
    static let key = Command(
        name: "key", synopsis: "[show | export FILE | import FILE] [--dir DIR] [--json]",
        summary: "Show what devices seal to; save the host's keys, or add keys from a file.",
        options: [folderOption, jsonOption], words: 2,
        run: { arguments, console throws(CommandError) in
            let inbox = try HostFolder.inbox(arguments, writes: arguments.words.first == "import")
            let json = arguments.has("json")
            switch (arguments.words.first ?? "show", arguments.words.count) {
            case ("show", 0...1): try showKeys(inbox, json: json, console)
            case ("export", 2): try exportKeys(inbox, to: arguments.words[1], json: json, console)
            case ("import", 2): try importKeys(inbox, from: arguments.words[1], json: json, console)
            case ("export", _):
                throw .usage("`lapel-host key export` wants a new file, or - to print the keys.")
            case ("import", _): throw .usage("`lapel-host key import` wants a file as age-keygen writes it.")
            case (let word, _):
                throw .usage(
                    "`lapel-host key` knows show, export FILE and import FILE; not \"\(word)\" like this.")
            }
            return 0
        })

    private static func showKeys(_ inbox: Inbox, json: Bool, _ console: Console) throws(CommandError) {
        let keys = try heldKeys(inbox)
        if json {
            console.out(
                .array(
                    keys.map { key in
                        [
                            "name": .string(key.name), "recipient": .string(key.recipient),
                            "own": .bool(key.isOwn),
                            "file": .string(file(of: key, inbox)),
                        ]
                    }))
            return
        }
        for key in keys {
            console.out(key.recipient + (key.isOwn ? "  devices seal to this one" : "  also opened"))
        }
        if let own = keys.first(where: \.isOwn) {
            console.out(
                "\nage -d -i \(file(of: own, inbox)) FILE opens a sealed file. Keep a copy of the keys:")
            console.out("without them nobody opens what is sealed (`lapel-host key export FILE`).")
        }
    }

    /// A file that is there is never written over: it may be the only copy of other keys.
    private static func exportKeys(
        _ inbox: Inbox, to target: String, json: Bool, _ console: Console
    ) throws(CommandError) {
        let count = try heldKeys(inbox).count
        let bytes = try explained { try inbox.keys.exported() }
        if target == "-" {
            console.out(String(decoding: bytes.dropLast(), as: UTF8.self))
            return
        }
        let path = HostFolder.whole(target)
        do throws(DurableFileError) {
            let file = try FileCalls.system.open(path, .createNew)
            try file.write(bytes)
            try file.sync()
            try FileCalls.system.syncFolder(folder(of: path))
        } catch {
            guard error.code != DurableFileError.exists else {
                throw .failed("\(path) is there already and stays as it is: name a new file.")
            }
            throw .failed(error.description)
        }
        if json {
            console.out(["exported": .string(path), "keys": .integer(count)])
        } else {
            console.out(
                "Saved \(count == 1 ? "the key" : "\(count) keys") to \(path). Whoever has this file can open the recordings."
            )
        }
    }

    private static func importKeys(
        _ inbox: Inbox, from source: String, json: Bool, _ console: Console
    ) throws(CommandError) {
        let path = HostFolder.whole(source)
        let bytes: [UInt8]
        do throws(DurableFileError) { bytes = try FileCalls.system.contents(path) } catch {
            throw .failed(error.description)
        }
        let recipients: [String]
        do throws(InboxError) { recipients = try inbox.keys.keep(file: bytes) } catch {
            guard case .badKey(let reason) = error else { throw .failed(error.description) }
            throw .failed("\(path) is not a file of age keys. \(reason)")
        }
        if json {
            console.out(["imported": .array(recipients.map(JSON.string))])
        } else {
            console.out("This host now opens what is sealed to " + recipients.joined(separator: ", ") + ".")
            console.out("A device learns of it when it pairs again: run `lapel-host pair`.")
        }
    }

    private static func heldKeys(_ inbox: Inbox) throws(CommandError) -> [HostKey] {
        let keys = try explained { try inbox.keys.all() }
        guard !keys.isEmpty else {
            throw .failed("This host has no key yet: `lapel-host serve` makes one when it starts.")
        }
        return keys
    }

    private static func file(of key: HostKey, _ inbox: Inbox) -> String {
        inbox.folder.keys + "/" + key.name + ".key"
    }
}
