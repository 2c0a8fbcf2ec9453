import SQLiteStore
import Sealing

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
}

extension Inbox {
    /// Whether requests from the holder of this key are accepted.
    package func isPaired(_ pin: String) throws(InboxError) -> Bool {
        try store { () throws(StoreError) in
            try !database.rows("SELECT 1 FROM devices WHERE pin = ?", [.text(pin)]).isEmpty
        }
    }

    /// In the order of their pairing.
    package func devices() throws(InboxError) -> [PairedDevice] {
        try store { () throws(StoreError) in
            try database.rows(
                """
                SELECT pin, name, paired_at, last_seen, (SELECT count(*) FROM utterances WHERE device = pin)
                FROM devices ORDER BY paired_at, pin
                """)
        }.map { row in
            PairedDevice(
                pin: row.text(0) ?? "", name: row.text(1) ?? "", pairedAt: row.integer(2) ?? 0,
                lastSeen: row.integer(3),
                utterances: Int(row.integer(4) ?? 0))
        }
    }

    /// Accepts a device by its pin (64 hexadecimal digits); known already, it gets the new name.
    package func addDevice(pin: String, name: String, signingKey: String? = nil) throws(InboxError) {
        let now = clock.now().milliseconds
        try store { () throws(StoreError) in
            try write { connection throws(StoreError) in
                try Self.add(pin, name, signingKey, now, &connection)
            }
        }
    }

    /// Its next request is refused; what it sent stays. False when there is no such device.
    package func removeDevice(pin: String) throws(InboxError) -> Bool {
        try store { () throws(StoreError) in
            try write { connection throws(StoreError) in
                try connection.rows("DELETE FROM devices WHERE pin = ?", [.text(pin)])
                return connection.changes > 0
            }
        }
    }

    /// A new one-time token, 16 random bytes, valid for `life` in this boot of the host.
    ///
    /// Only its hash is stored. The boot clock decides, because the wall clock may jump.
    package func makeToken(life: Duration) throws(InboxError) -> [UInt8] {
        let token = randomBytes(16)
        let now = clock.now()
        let expires = now.boot + Int64(life.components.seconds) * 1_000_000_000
        try store { () throws(StoreError) in
            try write { connection throws(StoreError) in
                try connection.rows(
                    "DELETE FROM tokens WHERE boot_id <> ? OR expires_boot < ?",
                    [.text(now.bootID), .integer(now.boot)])
                try connection.rows(
                    "INSERT INTO tokens (hash, boot_id, expires_boot) VALUES (?, ?, ?)",
                    [.text(SHA256.digest(of: token).hex), .text(now.bootID), .integer(expires)])
            }
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
        guard try spend(token, by: pin, name: name, signingKey: signingKey) else { return false }
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

    private func spend(
        _ token: [UInt8], by pin: String, name: String, signingKey: String?
    ) throws(InboxError) -> Bool {
        let now = clock.now()
        let hash = SQLValue.text(SHA256.digest(of: token).hex)
        return try store { () throws(StoreError) in
            try write { connection throws(StoreError) in
                try connection.rows(
                    """
                    UPDATE tokens SET spent_by = ? WHERE hash = ? AND boot_id = ? AND expires_boot >= ?
                        AND (spent_by IS NULL OR spent_by = ?)
                    """,
                    [.text(pin), hash, .text(now.bootID), .integer(now.boot), .text(pin)])
                guard connection.changes == 1 else { return false }
                try Self.add(pin, name, signingKey, now.milliseconds, &connection)
                return true
            }
        }
    }

    private static func add(
        _ pin: String, _ name: String, _ signingKey: String?, _ now: Int64, _ connection: inout Connection
    ) throws(StoreError) {
        try connection.rows(
            """
            INSERT INTO devices (pin, name, signing_key, paired_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (pin) DO UPDATE SET name = excluded.name,
                signing_key = coalesce(excluded.signing_key, signing_key)
            """,
            [.text(pin), .text(name), .text(optional: signingKey), .integer(now)])
    }
}
