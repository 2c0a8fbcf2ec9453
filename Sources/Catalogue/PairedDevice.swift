/// A paired device.
package struct PairedDevice: Equatable, Sendable {
    /// SHA-256 of its public key, 64 hexadecimal digits.
    package let pin: String
    /// What this host calls it.
    package let name: String
    /// Milliseconds since 1970.
    package let pairedAt: Int64
    /// Milliseconds since 1970; nil before its first request.
    package let lastSeen: Int64?
    /// Utterances of it that are here.
    package let utterances: Int

    package init(pin: String, name: String, pairedAt: Int64, lastSeen: Int64?, utterances: Int) {
        self.pin = pin
        self.name = name
        self.pairedAt = pairedAt
        self.lastSeen = lastSeen
        self.utterances = utterances
    }
}

/// What is kept of a device when it is accepted.
package struct NewDevice: Equatable, Sendable {
    /// 64 hexadecimal digits.
    package let pin: String
    package let name: String
    /// Ed25519, 64 hexadecimal digits; nil leaves the one that is known.
    package let signingKey: String?
    /// Milliseconds since 1970.
    package let at: Int64

    package init(pin: String, name: String, signingKey: String?, at: Int64) {
        self.pin = pin
        self.name = name
        self.signingKey = signingKey
        self.at = at
    }
}

/// An instant of the host, as the life of tokens is counted.
package struct BootInstant: Equatable, Sendable {
    /// Of the host.
    package let bootID: String
    /// Nanoseconds since the zero of `CLOCK_BOOTTIME`.
    package let boot: Int64

    package init(bootID: String, boot: Int64) {
        self.bootID = bootID
        self.boot = boot
    }
}
