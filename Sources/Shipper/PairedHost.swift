import Sealing
import Wire

/// Whom recordings go to: where it may be found, and the key that it must hold.
package struct PairedHost: Equatable, Sendable {
    /// Tried in this order, the last one that answered first.
    package let addresses: [HostAddress]
    /// SHA-256 of the host's public key, 32 bytes.
    package let pin: [UInt8]
    /// Of the keys that the host holds: what is sealed to none of them is held back.
    package let recipients: Set<AgeRecipient>

    package init(addresses: [HostAddress], pin: [UInt8], recipients: Set<AgeRecipient> = []) {
        self.addresses = addresses
        self.pin = pin
        self.recipients = recipients
    }
}
