import DurableFiles
import Outbox
import Sealing
import Shipper
import Wire

// In this order, so that a crash anywhere leaves every recording openable by somebody:
// 1. The host keeps the keys that it is handed, then it answers.
// 2. `host.json`, durably: from here on recordings are sealed to the host.
// 3. Remove the unpaired key, durably. Interrupted before, the next start does it.

/// `lapel pair URL`: makes the device's keys if it has none, proves the token, hands over the key that the device
/// sealed to while it had no host, remembers the host.
func pairCommand(_ rest: [String]) throws {
    let arguments = try Arguments(rest, flags: ["json"], values: ["config"])
    guard arguments.rest.count == 1, let text = arguments.rest.first else {
        throw Arguments.Refusal(description: "`lapel pair` takes the one URL that `lapel-host pair` printed.")
    }
    let settings = try settingsInForce(arguments).settings
    let folder = DeviceFolder(path: settings.outboxDirectory)
    let url = try PairingURL(parsing: text)
    let keys = DeviceKeys(folder: folder)
    let own = try keys.prepare(serial: DeviceKeys.boardSerial())
    if own.isMoved { writeError("lapel: \(DeviceKeys.movedSentence)") }
    let (answer, host) = try pair(
        url: url, credentials: Credentials(folder: folder.identity), deviceName: settings.deviceName,
        signingKey: own.signing.publicKeyHex, keys: keys.unpaired().map(\.text))
    let file = PairedHostFile(
        name: answer.hostName, addresses: host.addresses, pin: host.pin, replies: answer.replies,
        recipients: answer.recipients.compactMap { AgeRecipient($0) }, signingKey: own.signing.publicKeyHex)
    try file.save(to: folder.host)
    let isHeldAlone = try !keys.removeUnpaired(held: file.recipients)
    // A running device looks at once; without one there is nobody to tell.
    _ = try? ControlClient.ask(.paired, at: folder.control)
    let waiting = (try? Outbox.listing(directory: folder.path)) ?? []
    let heldBack = heldBack(among: waiting, folder, held: file.recipients).count
    if arguments.flags.contains("json") {
        let json: JSON = [
            "host": .string(answer.hostName), "host_pin": .string(Hex.encode(host.pin)),
            "device_pin": .string(own.pin),
            "addresses": .array(host.addresses.map { .string($0.description) }),
            "sealed_to": .optional(file.recipients.first?.description), "held_back": .integer(heldBack),
        ]
        print(json.text)
    } else {
        print("Paired with \(answer.hostName) at \(host.addresses.first?.description ?? "?").")
    }
    if file.recipients.isEmpty {
        writeError(
            "lapel: \(answer.hostName) names no key to seal to: it is older than sealing. Update it, then pair again."
        )
    } else if isHeldAlone {
        writeError("lapel: \(answer.hostName) did not take this device's own key; it stays here. Pair again.")
    }
    if let sentence = heldBackSentence(heldBack) { writeError("lapel: \(sentence)") }
}
