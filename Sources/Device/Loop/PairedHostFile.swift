import DurableFiles
import Wire

/// The paired host as the device remembers it, in `host.json`.
struct PairedHostFile: Equatable, Sendable {
    let name: String
    let addresses: [HostAddress]
    /// SHA-256 of the host's public key, 32 bytes.
    let pin: [UInt8]
    /// The host answers utterances.
    let replies: Bool

    /// Why the file cannot be used.
    struct Damaged: Error, CustomStringConvertible {
        let path: String
        let reason: String
        var description: String { "\(path) is damaged (\(reason)): pair again with `lapel pair`." }
    }

    /// Nil when the device is not paired.
    static func load(_ path: String) throws -> PairedHostFile? {
        let bytes: [UInt8]
        do {
            bytes = try FileCalls.system.contents(path)
        } catch {
            if error.isMissing { return nil }
            throw error
        }
        let json: JSON
        do { json = try JSON(parsing: bytes) } catch { throw Damaged(path: path, reason: error.description) }
        guard let name = json["name"]?.string,
            let addresses = json["addresses"]?.elements?.compactMap({ $0.string.flatMap { HostAddress($0) } }
            ),
            let pin = json["pin"]?.string.flatMap({ Hex.decode($0) }), pin.count == 32
        else { throw Damaged(path: path, reason: "name, addresses or pin is missing") }
        return PairedHostFile(
            name: name, addresses: addresses, pin: pin, replies: json["replies"]?.bool ?? false)
    }

    /// Replaces the file durably.
    func save(to path: String) throws(DurableFileError) {
        let json: JSON = [
            "name": .string(name), "addresses": .array(addresses.map { .string($0.description) }),
            "pin": .string(Hex.encode(pin)), "replies": .bool(replies),
        ]
        try replace(path, Array((json.text + "\n").utf8))
    }
}
