import Device
import DeviceSettings
import DurableFiles
import Glibc
import Hardware
import Outbox
import Terminal
import Threads
import Wire

/// Asks the running device; nil when none runs with this outbox.
private func askDevice(_ word: ControlWord, _ folder: DeviceFolder) throws(LocalSocketError) -> JSON? {
    do { return try ControlClient.ask(word, at: folder.control) } catch {
        switch error {
        case .noDevice: return nil
        case .pathTooLong, .failed: throw error
        }
    }
}

private func folder(_ arguments: Arguments) throws -> DeviceFolder {
    DeviceFolder(path: try settingsInForce(arguments).settings.outboxDirectory)
}

func statusCommand(_ rest: [String]) throws {
    let arguments = try Arguments(settings: rest, flags: ["json"], values: ["config"])
    try arguments.nothingElse()
    let folder = try folder(arguments)
    let status = try ControlClient.ask(.status, at: folder.control)
    print(arguments.has("json") ? status.text : statusText(status))
}

private func statusText(_ status: JSON) -> String {
    var lines = ["phase        \(status["phase"]?.string ?? "?")"]
    if let reason = status["stopped_by"]?.string { lines.append("stopped by   \(reason)") }
    lines.append("microphone   \(status["microphone_open"]?.bool == true ? "open" : "closed")")
    if let refusal = status["refusal"]?.string { lines.append("refuses      \(refusal)") }
    let outbox = status["outbox"]
    lines.append(
        "outbox       \(outbox?["waiting"]?.int ?? 0) waiting, \(outbox?["bytes"]?.int ?? 0) bytes, \(outbox?["parked"]?.int ?? 0) parked"
    )
    if let sent = outbox?["sent"]?.int, sent > 0 {
        lines.append("             \(sent) acknowledged by the foreign server only: kept while there is room")
    }
    if let held = status["held_back"]?.int, held > 0 {
        lines.append("             \(held) held back: sealed to another host's key")
    }
    if status["sealed"]?.bool == false {
        lines.append("sealing      OFF: recordings are stored in the clear")
    }
    let foreign = status["foreign"]?.string.map { "not paired; sealed recordings go to \($0)" }
    lines.append("host         \(status["paired_host"]?.string ?? foreign ?? "not paired")")
    if let says = status["host_says"]?.string { lines.append("             \(says)") }
    if let battery = BatteryLevel(json: status["battery"]) { lines.append("battery      \(battery.words)") }
    if let turn = status["last_turn"], let id = turn["utterance"]?.string {
        let seconds = turn["captured_s"]?.double ?? 0
        let end = turn["end_reason"]?.string ?? "still running"
        lines.append("last press   \(id), \(seconds) s, \(end)")
    }
    return lines.joined(separator: "\n")
}

func endCommand(_ rest: [String]) throws {
    let arguments = try Arguments(settings: rest, values: ["config"])
    try arguments.nothingElse()
    _ = try ControlClient.ask(.end, at: try folder(arguments).control)
}

func outboxCommand(_ rest: [String]) throws {
    let arguments = try Arguments(settings: rest, flags: ["json"], values: ["config"])
    let folder = try folder(arguments)
    guard let verb = arguments.words.first else {
        let listing = try askDevice(.outbox, folder) ?? outboxListing(folder)
        return print(arguments.has("json") ? listing.text : outboxText(listing))
    }
    guard verb == "export", arguments.words.count == 2 else {
        throw CommandError.usage("`lapel outbox` takes nothing else, or `export DIR`.")
    }
    let copied = try Outbox.export(directory: folder.path, to: arguments.words[1])
    if arguments.has("json") {
        print(JSON.object([(key: "copied", value: .array(copied.map(JSON.string)))]).text)
    } else {
        print("\(copied.count) files copied to \(arguments.words[1])")
    }
}

private func outboxText(_ listing: JSON) -> String {
    let items = listing.elements ?? []
    guard !items.isEmpty else { return "The outbox is empty." }
    return items.map { item in
        "\(item["seq"]?.int ?? 0)  \(item["utterance"]?.string ?? "")  \(item["place"]?.string ?? "")  \(item["format"]?.string ?? "")  \(item["bytes"]?.int ?? 0) bytes"
            + (item["held_back"]?.bool == true ? "  held back: sealed to another host's key" : "")
            + (item["place"]?.string == "sent" ? "  acknowledged by a foreign server only" : "")
    }.joined(separator: "\n")
}

func ledgerCommand(_ rest: [String]) throws {
    let arguments = try Arguments(settings: rest, flags: ["json"], values: ["config"])
    try arguments.nothingElse()
    let folder = try folder(arguments)
    let records = try askDevice(.ledger, folder)?.elements ?? Ledger.records(in: folder.ledger)
    for record in records {
        print(arguments.has("json") ? record.text : ledgerText(record))
    }
}

private func ledgerText(_ record: JSON) -> String {
    let press = String((record["press"]?.string ?? "").prefix(8))
    let seconds = Double(record["monotonic_ns"]?.int ?? 0) / 1e9
    let what =
        switch record["record"]?.string {
        case "opening": "opening"
        case "first_sample": "first sample after \(record["press_to_first_sample_us"]?.int ?? 0) µs"
        case "closed": "closed: \(record["reason"]?.string ?? ""), \(record["frames"]?.int ?? 0) frames"
        case let other: other ?? "unreadable"
        }
    return "\(seconds.milli) s  \(press)  \(what)"
}

/// A running device tells the settings that it runs with; else the file and the options say what would be in force.
func configCommand(_ rest: [String]) throws {
    let arguments = try Arguments(settings: rest, flags: ["json", "template"], values: ["config"])
    try arguments.nothingElse()
    if arguments.has("template") { return print(SettingsTemplate.text, terminator: "") }
    let settings = try settingsInForce(arguments)
    let isAboutADevice =
        arguments["config"] == nil && arguments.settings.allSatisfy { $0.key == "outbox_dir" }
    let running =
        isAboutADevice ? try askDevice(.config, DeviceFolder(path: settings.settings.outboxDirectory)) : nil
    let config = running ?? settings.json
    if arguments.has("json") { return print(config.text) }
    for (key, entry) in config.members ?? [] {
        let padding = String(repeating: " ", count: max(1, 24 - key.utf8.count))
        print("\(key)\(padding)= \(entry["value"]?.string ?? "")   # \(entry["origin"]?.string ?? "")")
    }
}
