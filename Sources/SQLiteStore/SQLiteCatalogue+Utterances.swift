import Catalogue

extension SQLiteCatalogue {
    package func progress(of utterance: String) throws(StoreError) -> UtteranceProgress {
        let row = try database.rows(
            "SELECT manifest IS NOT NULL, part FROM utterances WHERE id = ?", [.text(utterance)]
        ).first
        guard let row else { return .unknown }
        return UtteranceProgress(
            hasRung: row.integer(0) == 1, part: row.integer(1).flatMap(PartState.init(rawValue:)) ?? .no)
    }

    package func manifest(of utterance: String) throws(StoreError) -> [UInt8]? {
        try database.rows("SELECT manifest FROM utterances WHERE id = ?", [.text(utterance)]).first?.blob(0)
    }

    package func utterances(idPrefix prefix: String, limit: Int) throws(StoreError) -> [CataloguedUtterance] {
        try database.rows(
            """
            SELECT * FROM (
                SELECT u.id, u.seq, u.device, d.name, u.manifest, u.manifest_sha256, u.audio_sha256, u.audio_ext,
                    u.audio_bytes, u.part, u.first_at, u.stored_at
                FROM utterances u LEFT JOIN devices d ON d.pin = u.device WHERE substr(u.id, 1, ?) = ?
                ORDER BY u.first_at DESC, u.device DESC, u.seq DESC LIMIT ?
            ) ORDER BY first_at, device, seq
            """,
            [.integer(Int64(prefix.utf8.count)), .text(prefix), .integer(Int64(limit))]
        ).map { CataloguedUtterance(row: $0) }
    }

    // Clocks of devices.

    package func recordedBoots(of recorder: String) throws(StoreError) -> [RecordedBoot] {
        try database.rows(
            """
            SELECT boot_id, min(seq), max(start_boot), min(rang_at),
                min(CASE WHEN wall_synchronised = 1 THEN start_wall - start_boot END),
                max(CASE WHEN wall_synchronised = 1 THEN start_wall - start_boot END)
            FROM utterances WHERE recorder = ? AND boot_id <> '' GROUP BY boot_id
            """, [.text(recorder)]
        ).compactMap { row in
            guard let id = row.text(0), let seq = row.integer(1) else { return nil }
            return RecordedBoot(
                id: id, firstSeq: seq, lastStart: row.integer(2) ?? 0, rangAt: row.integer(3),
                synchronised: row.integer(4).flatMap { least in row.integer(5).map { least...$0 } })
        }
    }

    package func contactedBoots(of recorder: String) throws(StoreError) -> [ContactedBoot] {
        try database.rows(
            """
            SELECT boot_id, min(least_offset), max(most_offset), max(last_boot) FROM contacts
            WHERE device = ?1 OR device IN (SELECT device FROM utterances WHERE recorder = ?1) GROUP BY boot_id
            """, [.text(recorder)]
        ).compactMap { row in
            guard let id = row.text(0), let least = row.integer(1), let most = row.integer(2),
                let last = row.integer(3)
            else { return nil }
            return ContactedBoot(id: id, zero: least...max(least, most), lasted: max(0, last))
        }
    }

    static func keep(
        _ contact: Contact, of key: ContactKey, _ connection: inout Connection
    ) throws(StoreError) {
        try connection.rows(
            "UPDATE devices SET last_seen = max(coalesce(last_seen, 0), ?) WHERE pin = ?",
            [.integer(contact.seenAt), .text(key.device)])
        // A request without the header says that the device lives, and nothing of its clocks.
        if key.bootID.isEmpty { return }
        try connection.rows(
            """
            INSERT INTO contacts (device, boot_id, first_boot, last_boot, least_offset, most_offset)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (device, boot_id) DO UPDATE SET
                first_boot = min(first_boot, excluded.first_boot), last_boot = max(last_boot, excluded.last_boot),
                least_offset = min(least_offset, excluded.least_offset),
                most_offset = max(most_offset, excluded.most_offset)
            """,
            [
                .text(key.device), .text(key.bootID), .integer(contact.firstBoot), .integer(contact.lastBoot),
                .integer(contact.leastOffset), .integer(contact.mostOffset),
            ])
    }
}

extension CataloguedUtterance {
    fileprivate init(row: SQLRow) {
        var audio: StoredFile?
        if let sha256 = row.text(6), let ext = row.text(7), let bytes = row.integer(8) {
            audio = StoredFile(name: ShelfName(sha256: sha256, ext: ext), bytes: Int(bytes))
        }
        self.init(
            id: row.text(0) ?? "", seq: UInt64(clamping: row.integer(1) ?? 0), device: row.text(2) ?? "",
            deviceName: row.text(3), manifest: row.blob(4), manifestSHA256: row.text(5), audio: audio,
            part: row.integer(9).flatMap(PartState.init(rawValue:)) ?? .no, firstAt: row.integer(10) ?? 0,
            storedAt: row.integer(11))
    }
}
