import DurableFiles
import Glibc
import HTTPServer
import Identity
import Inbox

import Service
import Terminal
import Wire

extension Command {
    static let pair = Command(
        name: "pair",
        synopsis: "[--minutes N] [--address HOST:PORT]… [--file FILE] [--dir DIR] [--json]",
        summary: "Print a one-time URL and a QR code that pair one device with this host.",
        options: [
            .init(
                name: "minutes", value: "N",
                help: "how long the URL is valid, 1 to 1440; default 10, and 1440 in a file"),
            .init(
                name: "address", value: "HOST:PORT",
                help: "where the device finds the host, instead of this machine's addresses",
                repeats: true),
            .init(
                name: "file", value: "FILE",
                help:
                    "also write the URL there: lapel-pair.txt on a card's boot partition, or for `lapel pair`"
            ),
            folderOption, jsonOption,
        ],
        run: { arguments, console throws(CommandError) in
            let file = arguments["file"]
            let minutes = try arguments.number("minutes", in: 1...1440) ?? (file == nil ? 10 : 1440)
            let inbox = try HostFolder.inbox(arguments, writes: true)
            let identity = try explained { try Identity.load(folder: inbox.folder.path) }
            let hosts = try hosts(arguments, inbox)
            let recipient = try explained { try inbox.keys.all() }.first { $0.isOwn }?.recipient
            let token = try explained { try inbox.makeToken(life: .seconds(minutes * 60)) }
            guard let url = PairingURL(hosts: hosts, pin: identity.pin, token: token) else {
                throw .failed(
                    "This machine has no address that a device could use: give one with --address HOST:PORT.")
            }
            // The file is for whoever asked, not for the service.
            Service.actAsBefore()
            if let file { try explained { try replace(file, Array((url.description + "\n").utf8)) } }
            if arguments.has("json") {
                console.out([
                    "url": .string(url.description), "hosts": .array(hosts.map { .string($0.description) }),
                    "pin": .string(identity.pinHex), "recipient": .optional(recipient),
                    "valid_minutes": .integer(minutes),
                ])
                return 0
            }
            console.out(url.description)
            if let code = QRCode(url.description) {
                console.out("\n" + code.terminalLines(ansi: console.isTerminal).joined(separator: "\n"))
            }
            console.out("\nOn the device: lapel pair '\(url)'\nIt works once, within \(minutes) minutes.")
            if let recipient { console.out("The device then seals what it records to \(recipient).") }
            return 0
        })

    private static func hosts(_ arguments: Arguments, _ inbox: Inbox) throws(CommandError) -> [HostAddress] {
        let given = arguments.all("address")
        if !given.isEmpty {
            return try given.map { text throws(CommandError) in
                guard let host = HostAddress(text) else {
                    throw .usage(
                        "--address wants a name or address and a port, such as myhost.local:8443, not \"\(text)\"."
                    )
                }
                return host
            }
        }
        let text: [UInt8]
        do throws(DurableFileError) { text = try FileCalls.system.contents(inbox.folder.listening) } catch {
            throw .failed(
                "No host has listened for \(inbox.folder.path) yet: run `lapel-host serve` first, or give --address HOST:PORT."
            )
        }
        guard let listening = ListenAddress(String(decoding: text, as: UTF8.self)) else {
            throw .failed("\(inbox.folder.listening) is damaged: start `lapel-host serve` again.")
        }
        let addresses =
            listening.isWildcard ? MachineAddresses.all(ipv6: listening.address == "::") : [listening.address]
        return addresses.compactMap { HostAddress(host: $0, port: listening.port) }
    }
}
