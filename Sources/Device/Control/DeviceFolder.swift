/// Where everything lies in the device's one folder, `outbox_dir`.
struct DeviceFolder: Equatable, Sendable {
    let path: String

    /// The socket of a running device.
    var control: String { path + "/control" }
    /// The microphone's journal.
    var ledger: String { path + "/ledger" }
    /// The device's keys and certificate.
    var identity: String { path + "/identity" }
    /// The key that signs what is shipped: an Ed25519 seed (RFC 8032), 64 hexadecimal digits.
    var signingKey: String { identity + "/signing.key" }
    /// age identities that open what was sealed while no host was paired.
    var unpairedKey: String { identity + "/unpaired.key" }
    /// The serial number of the board that the keys were made on.
    var board: String { identity + "/board" }
    /// What a pairing file said, until it has led to something.
    var pairing: String { path + "/pairing" }
    /// Why it led to nothing, until the card says so.
    var pairingProblem: String { path + "/pairing-problem" }
    /// The paired host.
    var host: String { path + "/host.json" }
    /// Where it answered last.
    var lastAddress: String { path + "/host-address.json" }
}
