/// Where everything lies in the device's one folder, `outbox_dir`.
struct DeviceFolder: Equatable, Sendable {
    let path: String

    /// The socket of a running device.
    var control: String { path + "/control" }
    /// The microphone's journal.
    var ledger: String { path + "/ledger" }
    /// The device's key and certificate.
    var identity: String { path + "/identity" }
    /// The paired host.
    var host: String { path + "/host.json" }
}
