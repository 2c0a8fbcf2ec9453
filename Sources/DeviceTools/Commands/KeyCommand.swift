import Device
import DeviceSettings
import DurableFiles
import Sealing
import Terminal
import Wire

/// `lapel key`: what recordings are sealed to now, the backup, the key that signs; and the way out for the one key
/// that opens what an unpaired device has sealed.
func keyCommand(_ rest: [String]) throws {
    let arguments = try Arguments(settings: rest, flags: ["json"], values: ["config"])
    let settings = try settingsInForce(arguments).settings
    let keys = DeviceKeys(folder: DeviceFolder(path: settings.outboxDirectory))
    let isJSON = arguments.has("json")
    switch (arguments.words.first ?? "show", arguments.words.count) {
    case ("show", 0...1): try show(keys, settings, isJSON)
    case ("export", 2): try export(keys, to: arguments.words[1], isJSON)
    case (_, _):
        throw CommandError.usage("`lapel key` takes nothing else, `show`, or `export FILE`.")
    }
}

private func show(_ keys: DeviceKeys, _ settings: DeviceSettings, _ isJSON: Bool) throws {
    guard let signing = try keys.signing() else {
        throw DeviceKeyError.noKeys(folder: keys.folder.identity)
    }
    let host = try PairedHostFile.load(keys.folder.host)
    let recipient = settings.seals ? try keys.sealedTo() : nil
    let isHosts = recipient != nil && recipient == host?.recipients.first
    if isJSON {
        let json: JSON = [
            "seal": .bool(settings.seals), "sealed_to": .optional(recipient?.description),
            "key_of": recipient == nil ? .null : isHosts ? "host" : "device",
            "paired_host": .optional(host?.name), "backup": .optional(settings.backupRecipient),
            "signing_key": .string(signing.publicKeyHex),
        ]
        return print(json.text)
    }
    let whose =
        isHosts
        ? "the key of \(host?.name ?? "the host")"
        : "this device's own key until it is paired; `lapel key export FILE` copies it"
    let sealedTo =
        recipient.map { "\($0)  (\(whose))" }
        ?? (settings.seals
            ? "a key of this device's own, made at its start" : "nothing: recordings are stored in the clear")
    print("sealed to    \(sealedTo)")
    print("backup       \(settings.backupRecipient ?? "none")")
    print("signed by    \(signing.publicKeyHex)")
}

/// Writes the keys as the file that `age -d -i FILE` takes.
private func export(_ keys: DeviceKeys, to path: String, _ isJSON: Bool) throws {
    let unpaired = try keys.unpaired()
    guard !unpaired.isEmpty else {
        throw DeviceKeyError.noUnpairedKey(host: try PairedHostFile.load(keys.folder.host)?.name)
    }
    do throws(DurableFileError) { try writeNew(path, unpaired.flatMap { $0.file() }) } catch {
        if error.code == DurableFileError.exists { throw DeviceKeyError.exists(path: path) }
        throw error
    }
    if isJSON {
        print(
            JSON.object([(key: "keys", value: .array(unpaired.map { .string($0.recipient.description) }))])
                .text)
    } else {
        print("\(path) opens what this device has sealed: `age -d -i \(path) FILE`. Keep it secret.")
    }
}

/// A file of its owner's alone that was not there before, on the disk when this returns.
private func writeNew(_ path: String, _ bytes: [UInt8]) throws(DurableFileError) {
    let file = try FileCalls.system.open(path, .createNew)
    try file.write(bytes)
    try file.sync()
    try FileCalls.system.syncFolder(folder(of: path))
}
