import DurableFiles
import Identity
import Sealing

// A card that finds itself on another board, in this order:
// 1. A new unpaired key, durably, in front of those that are there: what was sealed to them waits in the outbox.
// 2. Forget the host: it knows the other board.
// 3. Remove certificate and pin, then the TLS key, then the key that signs: a certificate without its key would be
//    taken for a loss.
// 4. Note the board's serial number, durably. Interrupted before, all of it is done again.

extension DeviceKeys {
    /// What a start has to say about the keys.
    package struct Prepared: Sendable {
        /// The pin of the device's TLS key, 64 hexadecimal digits.
        package let pin: String
        /// Signs what is shipped.
        package let signing: SigningKey
        /// The card came from another board: the keys are new and the pairing is forgotten.
        package let isMoved: Bool
    }

    /// What whoever holds the device is told of `isMoved`.
    package static let movedSentence =
        "This card comes from another board: its recordings are kept, its keys are new and its old pairing is forgotten. Pair it with `lapel pair`."

    /// Makes what is missing of the TLS key and the key that signs; makes all anew on another board.
    ///
    /// - Parameter serial: of the board; nil where it has none, which changes nothing.
    package func prepare(serial: String?) throws -> Prepared {
        try calls.makeFolders(folder.identity)
        let isMoved = try renewOnAnotherBoard(serial)
        // A certificate is no secret: it is not called after a device that may be called after its wearer.
        let pin = try Identity.pinHex(folder: folder.identity, name: "lapel") { path, bytes in
            try replace(path, bytes, calls: calls)
        }
        return Prepared(pin: pin, signing: try signingOrMade(), isMoved: isMoved)
    }

    /// Finishes a pairing that was cut short before the unpaired key was removed, and makes that key where no host
    /// is paired that recordings could be sealed to.
    ///
    /// - Returns: whether the paired host lacks a key that the device still holds.
    @discardableResult
    func settle(with host: PairedHostFile?) throws -> Bool {
        if let host, !host.recipients.isEmpty { return try !removeUnpaired(held: host.recipients) }
        if try unpaired().isEmpty { try addUnpaired() }
        return false
    }

    private func renewOnAnotherBoard(_ serial: String?) throws -> Bool {
        guard let serial else { return false }
        let known = try contents(folder.board).map { String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self) }
        if known == serial { return false }
        if known != nil {
            try addUnpaired()
            try remove(folder.host)
            for file in [
                Identity.certificatePath(in: folder.identity), Identity.pinPath(in: folder.identity),
                Identity.keyPath(in: folder.identity), folder.signingKey,
            ] {
                try remove(file)
            }
        }
        try replace(folder.board, Array((serial + "\n").utf8), calls: calls)
        return known != nil
    }

    /// The board's serial number, which the boot loader hands over; nil where there is none.
    package static func boardSerial(_ path: String = "/proc/device-tree/serial-number") -> String? {
        guard let bytes = try? FileCalls.system.contents(path) else { return nil }
        let text = String(decoding: bytes.prefix { $0 > 32 && $0 < 127 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}
