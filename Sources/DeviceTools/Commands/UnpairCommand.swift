import Device
import DurableFiles
import Outbox
import Service
import Terminal
import Wire

// In this order: the host's file goes, durably; then where it answered; then a running device is told. What waits, and
// every key, stays: only a host that holds the key which recordings are sealed to can take them.

/// `lapel unpair`: forgets the host.
func unpairCommand(_ rest: [String]) throws {
    let arguments = try Arguments(settings: rest, flags: ["json"], values: ["config"])
    try arguments.nothingElse()
    let folder = DeviceFolder(path: try settingsInForce(arguments).settings.outboxDirectory)
    Service.actAsOwner(of: folder.path)
    let host: PairedHostFile?
    do { host = try PairedHostFile.load(folder.host) } catch is PairedHostFile.Damaged {
        // A damaged pairing is the more reason to forget it.
        host = nil
    }
    let keys = DeviceKeys(folder: folder)
    guard try keys.contents(folder.host) != nil else { throw NotPaired() }
    try keys.remove(folder.host)
    try keys.remove(folder.lastAddress)
    // A running device looks at once; without one there is nobody to tell.
    _ = try? ControlClient.ask(.paired, at: folder.control)
    let waiting = ((try? Outbox.listing(directory: folder.path)) ?? []).filter { $0.place == "out" }.count
    if arguments.has("json") {
        let json: JSON = ["host": .optional(host?.name), "waiting": .integer(waiting)]
        return print(json.text)
    }
    let name = host?.name ?? "the host"
    print("This device no longer ships to \(name). On the host, `lapel-host devices` takes it off the list.")
    if waiting > 0 {
        print(
            "\(waiting) recording\(waiting == 1 ? " waits" : "s wait") for a host that holds the key of \(name); `lapel outbox export DIR` copies them out."
        )
    }
}

/// There is no host to forget.
private struct NotPaired: Error, CustomStringConvertible {
    var description: String { "This device is not paired." }
}
