import Inbox
import Terminal
import Wire

extension Command {
    static let devices = Command(
        name: "devices",
        synopsis: "[list | remove NAME-OR-PIN | add --pin HEX --name NAME] [--dir DIR] [--json]",
        summary: "List, remove or add paired devices.",
        options: [
            .init(
                name: "pin", value: "HEX", help: "SHA-256 of the device's public key, 64 hexadecimal digits"),
            .init(name: "name", value: "NAME", help: "what this host calls the device"), folderOption,
            jsonOption,
        ],
        words: 2,
        run: { arguments, console throws(CommandError) in
            let inbox = try HostFolder.inbox(arguments, writes: true)
            switch (arguments.words.first ?? "list", arguments.words.count) {
            case ("list", 0...1): try listDevices(inbox, json: arguments.has("json"), console)
            case ("add", 1): try addDevice(arguments, inbox, console)
            case ("remove", 2):
                try removeDevice(arguments.words[1], inbox, json: arguments.has("json"), console)
            case ("remove", _):
                throw .usage(
                    "`lapel-host devices remove` wants the device's name, or its PIN or the PIN's beginning.")
            case (let word, _):
                throw .usage(
                    "`lapel-host devices` knows list, remove NAME-OR-PIN and add; not \"\(word)\" like this.")
            }
            return 0
        })

    private static func listDevices(_ inbox: Inbox, json: Bool, _ console: Console) throws(CommandError) {
        let devices = try explained { try inbox.devices() }
        if json {
            console.out(
                .array(
                    devices.map { device in
                        [
                            "pin": .string(device.pin), "name": .string(device.name),
                            "paired_at_ms": .integer(device.pairedAt),
                            "last_seen_ms": .optional(device.lastSeen),
                            "utterances": .integer(device.utterances),
                        ]
                    }))
        } else if devices.isEmpty {
            console.out("No device is paired yet: run `lapel-host pair`.")
        } else {
            console.out(
                Table.lines(
                    ["PIN", "NAME", "PAIRED", "LAST SEEN", "UTTERANCES"],
                    devices.map { device in
                        [
                            String(device.pin.prefix(12)), device.name,
                            LocalTime.text(milliseconds: device.pairedAt),
                            device.lastSeen.map(LocalTime.text(milliseconds:)) ?? "never",
                            String(device.utterances),
                        ]
                    }
                ).joined(separator: "\n"))
        }
    }

    private static func addDevice(_ arguments: Arguments, _ inbox: Inbox, _ console: Console)
        throws(CommandError)
    {
        guard let pin = arguments["pin"]?.lowercased(), Hex.isLowercase(pin, digits: 64) else {
            throw .usage("`lapel-host devices add` wants --pin with 64 hexadecimal digits.")
        }
        guard let name = arguments["name"], !name.isEmpty else {
            throw .usage("`lapel-host devices add` wants --name with what this host calls the device.")
        }
        try explained { try inbox.addDevice(pin: pin, name: name) }
        if arguments.has("json") {
            console.out(["added": .string(pin), "name": .string(name)])
        } else {
            console.out("Added \(name).")
        }
    }

    /// A name counts whole, a pin from its beginning; a device that is called what another one's pin begins with is
    /// meant by its name.
    private static func removeDevice(
        _ text: String, _ inbox: Inbox, json: Bool, _ console: Console
    ) throws(CommandError) {
        let all = try explained { try inbox.devices() }
        let called = all.filter { $0.name == text }
        let found = called.isEmpty ? all.filter { $0.pin.hasPrefix(text.lowercased()) } : called
        guard let device = found.first else {
            throw .failed("No paired device is called \(text) or has a pin that begins with it.")
        }
        guard found.count == 1 else {
            throw .failed(
                called.isEmpty
                    ? "\(found.count) devices have a pin that begins with \(text): give more of it."
                    : "\(found.count) devices are called \(text): give the pin, as `lapel-host devices` shows it."
            )
        }
        guard try explained({ try inbox.removeDevice(pin: device.pin) }) else {
            throw .failed("The device \(device.name) was removed by somebody else meanwhile.")
        }
        if json {
            console.out(["removed": .string(device.pin), "name": .string(device.name)])
        } else {
            console.out("Removed \(device.name): its next request is refused. What it sent stays.")
        }
    }
}
