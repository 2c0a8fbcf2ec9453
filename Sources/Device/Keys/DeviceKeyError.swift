/// Why the device's keys cannot be used, as a sentence for whoever holds the device.
package enum DeviceKeyError: Error, Equatable, CustomStringConvertible {
    /// A file of ours is not what it should be.
    case damaged(path: String, reason: String)
    /// `lapel key export` on a device that sealed nothing to a key of its own.
    case noUnpairedKey(host: String?)
    /// The device was never started.
    case noKeys(folder: String)
    /// A file is in the way of an export.
    case exists(path: String)

    package var description: String {
        switch self {
        case .damaged(let path, let reason):
            "\(path) is damaged (\(reason)): put it back from a copy, or remove it and pair again."
        case .noUnpairedKey(let host?):
            "There is no key to export: recordings are sealed to the key of \(host), and this device holds no key that opens them."
        case .noUnpairedKey(nil):
            "There is no key to export: this device has sealed nothing to a key of its own."
        case .noKeys(let folder):
            "There are no keys in \(folder) yet: they are made at the first `lapel run`."
        case .exists(let path): "\(path) is there already: a key is not written over anything."
        }
    }
}
