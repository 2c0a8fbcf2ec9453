import DurableFiles
import Sealing
import Wire

/// The paired host as the device remembers it, in `host.json`.
package struct PairedHostFile: Equatable, Sendable {
    /// As the host calls itself.
    package let name: String
    /// Where it may be found, in the order to try.
    package let addresses: [HostAddress]
    /// SHA-256 of the host's public key, 32 bytes.
    package let pin: [UInt8]
    /// The host answers utterances.
    package let replies: Bool
    /// The keys that the host holds: recordings are sealed to the first. Empty for a pairing of an older version.
    package let recipients: [AgeRecipient]
    /// The device's own key that the host knows its signatures by, 64 hexadecimal digits; empty as above.
    package let signingKey: String

    /// Why the file cannot be used.
    package struct Damaged: Error, CustomStringConvertible {
        let path: String
        let reason: String
        package var description: String { "\(path) is damaged (\(reason)): pair again with `lapel pair`." }
    }

    package init(
        name: String, addresses: [HostAddress], pin: [UInt8], replies: Bool, recipients: [AgeRecipient],
        signingKey: String
    ) {
        self.name = name
        self.addresses = addresses
        self.pin = pin
        self.replies = replies
        self.recipients = recipients
        self.signingKey = signingKey
    }

    /// Nil when the device is not paired.
    package static func load(_ path: String) throws -> PairedHostFile? {
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
        let texts = json["recipients"]?.elements ?? []
        let recipients = texts.compactMap { $0.string.flatMap { AgeRecipient($0) } }
        guard recipients.count == texts.count else {
            throw Damaged(path: path, reason: "a recipient is no age key")
        }
        return PairedHostFile(
            name: name, addresses: addresses, pin: pin, replies: json["replies"]?.bool ?? false,
            recipients: recipients, signingKey: json["signing_key"]?.string ?? "")
    }

    /// Replaces the file durably.
    package func save(to path: String) throws(DurableFileError) {
        let json: JSON = [
            "name": .string(name), "addresses": .array(addresses.map { .string($0.description) }),
            "pin": .string(Hex.encode(pin)), "replies": .bool(replies),
            "recipients": .array(recipients.map { .string($0.description) }),
            "signing_key": .string(signingKey),
        ]
        try replace(path, Array((json.text + "\n").utf8))
    }
}
