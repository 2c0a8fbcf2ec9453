import Identity
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

/// The PEM files by which this device proves who it is; libcurl reads them by path.
package struct Credentials: Equatable, Sendable {
    package let certificatePath: String
    package let keyPath: String

    package init(certificatePath: String, keyPath: String) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
    }

    /// The files of the identity in `folder`.
    package init(folder: String) {
        self.init(
            certificatePath: Identity.certificatePath(in: folder), keyPath: Identity.keyPath(in: folder))
    }
}
