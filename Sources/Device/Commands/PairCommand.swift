import DurableFiles
import Shipper
import Wire

/// `lapel pair URL`: makes the device's key if it has none, proves the token, remembers the host.
func pairCommand(_ rest: [String]) throws {
    let arguments = try Arguments(rest, flags: ["json"], values: ["config"])
    guard arguments.rest.count == 1, let text = arguments.rest.first else {
        throw Arguments.Refusal(description: "`lapel pair` takes the one URL that `lapel-host pair` printed.")
    }
    let settings = try settingsInForce(arguments).settings
    let folder = DeviceFolder(path: settings.outboxDirectory)
    let url = try PairingURL(parsing: text)
    let pin = try DeviceProgram.pin(in: folder, name: settings.deviceName)
    let (answer, host) = try pair(
        url: url, credentials: Credentials(folder: folder.identity), deviceName: settings.deviceName)
    let file = PairedHostFile(
        name: answer.hostName, addresses: host.addresses, pin: host.pin, replies: answer.replies)
    try file.save(to: folder.host)
    // A running device looks at once; without one there is nobody to tell.
    _ = try? ControlClient.ask(.paired, at: folder.control)
    if arguments.flags.contains("json") {
        let json: JSON = [
            "host": .string(answer.hostName), "host_pin": .string(Hex.encode(host.pin)),
            "device_pin": .string(pin),
            "addresses": .array(host.addresses.map { .string($0.description) }),
        ]
        print(json.text)
    } else {
        print("Paired with \(answer.hostName) at \(host.addresses.first?.description ?? "?").")
    }
}
