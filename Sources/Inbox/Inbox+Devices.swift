import Catalogue
import Sealing

extension Inbox {
    /// Whether requests from the holder of this key are accepted.
    package func isPaired(_ pin: String) throws(InboxError) -> Bool {
        try store { () throws(StoreError) in try catalogue.isPaired(pin) }
    }

    /// In the order of their pairing.
    package func devices() throws(InboxError) -> [PairedDevice] {
        try store { () throws(StoreError) in try catalogue.devices() }
    }

    /// Accepts a device by its pin (64 hexadecimal digits); known already, it gets the new name.
    package func addDevice(pin: String, name: String, signingKey: String? = nil) throws(InboxError) {
        let device = NewDevice(pin: pin, name: name, signingKey: signingKey, at: clock.now().milliseconds)
        try store { () throws(StoreError) in try catalogue.add(device) }
    }

    /// Its next request is refused; what it sent stays. False when there is no such device.
    package func removeDevice(pin: String) throws(InboxError) -> Bool {
        try store { () throws(StoreError) in try catalogue.removeDevice(pin: pin) }
    }

    /// A new one-time token, 16 random bytes, valid for `life` in this boot of the host.
    ///
    /// Only its hash is stored. The boot clock decides, because the wall clock may jump.
    package func makeToken(life: Duration) throws(InboxError) -> [UInt8] {
        let token = randomBytes(16)
        let now = clock.now()
        let expires = now.boot + Int64(life.components.seconds) * 1_000_000_000
        try store { () throws(StoreError) in
            try catalogue.addToken(hash: SHA256.digest(of: token).hex, expires: expires, now: now.ofBoot)
        }
        return token
    }

    /// Spends a token for the device with this pin: token and device change in one commit. False for a token
    /// that is unknown, expired, or spent by another device. Repeated by the same device it is true again: the
    /// first answer may have been lost on the way.
    ///
    /// `keys` are age identities that the device hands over: they are stored durably before this returns, and only
    /// when the token was good, so that a stranger fills no disk. Throws `badKey` before the token is spent.
    ///
    /// The token is looked up by its hash, so the time of the comparison tells nothing of it.
    package func pair(
        token: [UInt8], pin: String, name: String, signingKey: String?, keys offered: [String] = []
    ) throws(InboxError) -> Bool {
        let identities = try offered.map { text throws(InboxError) in
            guard let identity = AgeIdentity(text) else {
                throw .badKey(reason: "One of the keys handed over is no AGE-SECRET-KEY-1 key.")
            }
            return identity
        }
        let now = clock.now()
        let device = NewDevice(pin: pin, name: name, signingKey: signingKey, at: now.milliseconds)
        let spent = try store { () throws(StoreError) in
            try catalogue.spendToken(hash: SHA256.digest(of: token).hex, for: device, now: now.ofBoot)
        }
        guard spent else { return false }
        if !identities.isEmpty { try keys.keep(identities) }
        return true
    }

    /// What devices learn at their pairing: the key to seal to, then every other key that this host opens.
    package func recipients() throws(InboxError) -> [String] {
        _ = try keys.makeOwn()
        var recipients: [String] = []
        for key in try keys.all().map(\.identity.recipient.description) where !recipients.contains(key) {
            recipients.append(key)
        }
        return recipients
    }
}
