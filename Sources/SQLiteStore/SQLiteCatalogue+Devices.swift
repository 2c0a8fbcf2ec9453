import Catalogue

extension SQLiteCatalogue {
    package func isPaired(_ pin: String) throws(StoreError) -> Bool {
        try !database.rows("SELECT 1 FROM devices WHERE pin = ?", [.text(pin)]).isEmpty
    }

    package func signingKey(of pin: String) throws(StoreError) -> String? {
        try database.rows("SELECT signing_key FROM devices WHERE pin = ?", [.text(pin)]).first?.text(0)
    }

    package func devices() throws(StoreError) -> [PairedDevice] {
        try database.rows(
            """
            SELECT pin, name, paired_at, last_seen, (SELECT count(*) FROM utterances WHERE device = pin)
            FROM devices ORDER BY paired_at, pin
            """
        ).map { row in
            PairedDevice(
                pin: row.text(0) ?? "", name: row.text(1) ?? "", pairedAt: row.integer(2) ?? 0,
                lastSeen: row.integer(3), utterances: Int(row.integer(4) ?? 0))
        }
    }

    package func add(_ device: NewDevice) throws(StoreError) {
        try write { connection throws(StoreError) in try add(device, &connection) }
        wake()
    }

    package func removeDevice(pin: String) throws(StoreError) -> Bool {
        try write { connection throws(StoreError) in
            try connection.rows("DELETE FROM devices WHERE pin = ?", [.text(pin)])
            return connection.changes > 0
        }
    }

    package func addToken(hash: String, expires: Int64, now: BootInstant) throws(StoreError) {
        try write { connection throws(StoreError) in
            try connection.rows(
                "DELETE FROM tokens WHERE boot_id <> ? OR expires_boot < ?",
                [.text(now.bootID), .integer(now.boot)])
            try connection.rows(
                "INSERT INTO tokens (hash, boot_id, expires_boot) VALUES (?, ?, ?)",
                [.text(hash), .text(now.bootID), .integer(expires)])
        }
    }

    package func spendToken(
        hash: String, for device: NewDevice, now: BootInstant
    ) throws(StoreError) -> Bool {
        let spent = try write { connection throws(StoreError) -> Bool in
            try connection.rows(
                """
                UPDATE tokens SET spent_by = ? WHERE hash = ? AND boot_id = ? AND expires_boot >= ?
                    AND (spent_by IS NULL OR spent_by = ?)
                """,
                [
                    .text(device.pin), .text(hash), .text(now.bootID), .integer(now.boot),
                    .text(device.pin),
                ])
            guard connection.changes == 1 else { return false }
            try add(device, &connection)
            return true
        }
        wake()
        return spent
    }

    private func add(_ device: NewDevice, _ connection: inout Connection) throws(StoreError) {
        try connection.rows(
            """
            INSERT INTO devices (pin, name, signing_key, paired_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (pin) DO UPDATE SET name = excluded.name,
                signing_key = coalesce(excluded.signing_key, signing_key)
            """,
            [
                .text(device.pin), .text(device.name), .text(optional: device.signingKey),
                .integer(device.at),
            ])
        try happened(.paired, device.pin, at: device.at, &connection)
    }
}
