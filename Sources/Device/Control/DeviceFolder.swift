/// Where everything lies in the device's one folder, `outbox_dir`.
package struct DeviceFolder: Equatable, Sendable {
    /// `outbox_dir`.
    package let path: String

    package init(path: String) { self.path = path }

    /// The socket of a running device.
    package var control: String { path + "/control" }
    /// The microphone's journal.
    package var ledger: String { path + "/ledger" }
    /// The device's keys and certificate.
    package var identity: String { path + "/identity" }
    /// The key that signs what is shipped: an Ed25519 seed (RFC 8032), 64 hexadecimal digits.
    package var signingKey: String { identity + "/signing.key" }
    /// age identities that open what was sealed while no host was paired.
    package var unpairedKey: String { identity + "/unpaired.key" }
    /// The serial number of the board that the keys were made on.
    package var board: String { identity + "/board" }
    /// What a pairing file said, until it has led to something.
    package var pairing: String { path + "/pairing" }
    /// Why it led to nothing, until the card says so.
    package var pairingProblem: String { path + "/pairing-problem" }
    /// The paired host.
    package var host: String { path + "/host.json" }
    /// Where it answered last.
    package var lastAddress: String { path + "/host-address.json" }
}
