import Device
import DeviceMachine
import DurableFiles
import HostLink
import Outbox
import Sealing
import Service
import Terminal
import Wire

// In this order, so that a crash anywhere leaves every recording openable by somebody:
// 1. The host keeps the keys that it is handed, then it answers.
// 2. `host.json`, durably: from here on recordings are sealed to the host.
// 3. Remove the unpaired key, durably. Interrupted before, the next start does it.

/// What a pairing led to.
struct Pairing {
    let host: PairedHostFile
    /// The pin of the device's TLS key, 64 hexadecimal digits.
    let devicePin: String
    /// The card came from another board: its keys are new.
    let isMoved: Bool
    /// The host lacks a key that this device still holds.
    let isHeldAlone: Bool
    /// Recordings that wait and that this host cannot open.
    let heldBack: Int

    /// What whoever paired must be told, a sentence each.
    var warnings: [String] {
        var warnings = isMoved ? [DeviceKeys.movedSentence] : []
        if host.recipients.isEmpty {
            warnings.append(
                "\(host.name) names no key to seal to: it is older than sealing. Update it, then pair again.")
        } else if isHeldAlone {
            warnings.append(
                "\(host.name) did not take this device's own key; it stays here. Pair again.")
        }
        if let sentence = heldBackSentence(heldBack) { warnings.append(sentence) }
        return warnings
    }
}

/// Pairs the device whose folder this is: makes its keys if it has none, proves the token, hands over the key that the
/// device sealed to while it had no host, remembers the host, and tells a running device. Takes the place of an older
/// pairing. Blocks for some 10 s when the host is not there; then nothing has changed but that the keys exist.
///
/// Throws what `HostLink`, `DurableFiles` and `DeviceKeys` throw; each is a sentence.
func pairDevice(_ url: PairingURL, in folder: DeviceFolder, deviceName: String) throws -> Pairing {
    let keys = DeviceKeys(folder: folder)
    let own = try keys.prepare(serial: DeviceKeys.boardSerial())
    let (answer, addresses) = try pair(
        url: url, credentials: Credentials(folder: folder.identity), deviceName: deviceName,
        signingKey: own.signing.publicKeyHex, keys: keys.unpaired().map(\.text), discovery: .multicast)
    let file = PairedHostFile(
        name: answer.hostName, addresses: addresses, pin: url.pin, replies: answer.replies,
        recipients: answer.recipients.compactMap { AgeRecipient($0) }, signingKey: own.signing.publicKeyHex)
    try file.save(to: folder.host)
    let isHeldAlone = try !keys.removeUnpaired(held: file.recipients)
    // A running device looks at once; without one there is nobody to tell.
    _ = try? ControlClient.ask(.paired, at: folder.control)
    let waiting = (try? Outbox.listing(directory: folder.path)) ?? []
    return Pairing(
        host: file, devicePin: own.pin, isMoved: own.isMoved, isHeldAlone: isHeldAlone,
        heldBack: heldBack(among: waiting, folder, held: file.recipients).count)
}

/// `lapel pair URL`.
func pairCommand(_ rest: [String]) throws {
    let arguments = try Arguments(settings: rest, flags: ["json"], values: ["config"])
    guard arguments.words.count == 1, let text = arguments.words.first else {
        throw CommandError.usage("`lapel pair` takes the one URL that `lapel-host pair` printed.")
    }
    let settings = try settingsInForce(arguments).settings
    let folder = DeviceFolder(path: settings.outboxDirectory)
    Service.actAsOwner(of: folder.path)
    let paired = try pairDevice(try PairingURL(parsing: text), in: folder, deviceName: settings.deviceName)
    let host = paired.host
    if arguments.has("json") {
        let json: JSON = [
            "host": .string(host.name), "host_pin": .string(Hex.encode(host.pin)),
            "device_pin": .string(paired.devicePin),
            "addresses": .array(host.addresses.map { .string($0.description) }),
            "sealed_to": .optional(host.recipients.first?.description),
            "held_back": .integer(paired.heldBack),
        ]
        print(json.text)
    } else {
        print("Paired with \(host.name) at \(host.addresses.first?.description ?? "?").")
    }
    for warning in paired.warnings { writeError("lapel: \(warning)") }
    if let foreign = settings.foreign {
        writeError("lapel: \(foreignUnused(foreign, host.name))")
    }
}
