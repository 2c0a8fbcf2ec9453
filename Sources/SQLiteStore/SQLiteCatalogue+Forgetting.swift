import Catalogue

extension SQLiteCatalogue {
    package func withdraw(utterance: String, at now: Int64) throws(StoreError) -> Bool {
        let known = try write { connection throws(StoreError) -> Bool in
            let id = SQLValue.text(utterance)
            if try connection.rows("SELECT 1 FROM uploads WHERE utterance = ?", [id]).isEmpty { return false }
            try connection.rows(
                """
                INSERT INTO loose_files (sha256, ext, utterance)
                SELECT sha256, ext, utterance FROM uploads
                WHERE utterance = ? AND forgotten_at IS NULL AND sha256 <> ''
                UNION SELECT audio_sha256, audio_ext, id FROM utterances WHERE id = ? AND audio_sha256 IS NOT NULL
                ON CONFLICT DO NOTHING
                """, [id, id])
            try connection.rows(
                """
                UPDATE uploads SET completed_at = coalesce(completed_at, ?), forgotten_at = ?
                WHERE utterance = ? AND forgotten_at IS NULL
                """, [.integer(now), .integer(now), id])
            if connection.changes > 0 { try happened(.forgotten, utterance, at: now, &connection) }
            try connection.rows("DELETE FROM utterances WHERE id = ?", [id])
            return true
        }
        wake()
        return known
    }

    package func forgotten(idPrefix prefix: String) throws(StoreError) -> [ForgottenUtterance] {
        try database.rows(
            """
            SELECT utterance, min(seq), min(device), min(forgotten_at) AS at FROM uploads
            WHERE forgotten_at IS NOT NULL AND substr(utterance, 1, ?) = ? GROUP BY utterance ORDER BY at, utterance
            """,
            [.integer(Int64(prefix.utf8.count)), .text(prefix)]
        ).map { row in
            ForgottenUtterance(
                id: row.text(0) ?? "", seq: UInt64(clamping: row.integer(1) ?? 0), device: row.text(2) ?? "",
                forgottenAt: row.integer(3) ?? 0)
        }
    }

    /// The bytes of deleted rows were overwritten in the pages that went into the log (secure_delete); the database
    /// file has those pages once the log is emptied into it. A server that is reading keeps its part of the log until
    /// it has read.
    package func eraseRemains() throws(StoreError) { try database.emptyLog() }

    package func noteLoose(_ name: ShelfName, of utterance: String) throws(StoreError) {
        try write { connection throws(StoreError) in
            try connection.rows(
                "INSERT INTO loose_files (sha256, ext, utterance) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [.text(name.sha256), .text(name.ext), .text(utterance)])
        }
    }

    package func loose(of utterance: String?) throws(StoreError) -> [ShelfName] {
        try database.rows(
            "SELECT DISTINCT sha256, ext FROM loose_files WHERE ? IS NULL OR utterance = ?",
            [.text(optional: utterance), .text(optional: utterance)]
        ).compactMap { row in
            row.text(0).flatMap { sha256 in row.text(1).map { ShelfName(sha256: sha256, ext: $0) } }
        }
    }

    package func endLoose(_ name: ShelfName, of utterance: String?) throws(StoreError) {
        try write { connection throws(StoreError) in
            try connection.rows(
                "DELETE FROM loose_files WHERE sha256 = ? AND ext = ? AND (? IS NULL OR utterance = ?)",
                [
                    .text(name.sha256), .text(name.ext), .text(optional: utterance),
                    .text(optional: utterance),
                ])
        }
    }

    package func ifUnnamed(
        _ name: ShelfName, _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try write { connection throws(StoreError) in
            let named = try connection.rows(
                """
                SELECT 1 FROM uploads WHERE sha256 = ?1 AND ext = ?2 AND forgotten_at IS NULL
                UNION ALL SELECT 1 FROM utterances WHERE audio_sha256 = ?1 AND audio_ext = ?2
                """,
                [.text(name.sha256), .text(name.ext)])
            if named.isEmpty { try body() }
        }
    }

    package func ifUnknown(
        upload id: String, _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try write { connection throws(StoreError) in
            let known = try connection.rows("SELECT 1 FROM uploads WHERE id = ?", [.text(id)])
            if known.isEmpty { try body() }
        }
    }
}
