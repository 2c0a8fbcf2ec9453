import Hardware

/// Why an input device cannot be a button, as a sentence for whoever holds it.
package enum InputError: Error, Equatable, CustomStringConvertible {
    case unknownKey(String)
    case missing(path: String)
    case denied(path: String, remedy: String)
    /// `offered` are the names of the keys that the device has.
    case noSuchKey(path: String, key: String, offered: [String])
    case busy(path: String)
    case failed(path: String, operation: String, reason: String)

    package var description: String {
        switch self {
        case .unknownKey(let name):
            "There is no key named \(name). Nearest: \(Spelling.nearest(to: name, among: KeyName.all).joined(separator: ", "))."
        case .missing(let path):
            "There is no input device \(path): plug it in or switch it on; `ls /dev/input/by-path /dev/input/by-id` lists what there is."
        case .denied(let path, let remedy): "The input device \(path) may not be opened: \(remedy)"
        case .noSuchKey(let path, let key, let offered):
            "The input device \(path) has no \(key); it has \(offered.isEmpty ? "no keys" : offered.prefix(24).joined(separator: ", "))."
        case .busy(let path):
            "The input device \(path) is held by another program alone: stop that program or choose another button."
        case .failed(let path, let operation, let reason):
            "The input device \(path) could not \(operation): \(reason)."
        }
    }
}
