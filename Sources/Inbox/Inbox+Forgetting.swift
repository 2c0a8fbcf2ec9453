import DurableFiles
import SQLiteStore
import Wire

// Withdrawal
//  1. One commit marks every upload of the utterance as withdrawn, deletes the utterance with its manifest, and names
//     its files as loose. From here on nothing of it is listed, taken or brought back: a device that offers a part of
//     it gets the receipt and lets go (`create`), a part that is just being finished is dropped (`complete`).
//  2. Its files are removed, durably.
//  3. The write-ahead log is emptied into the database, whose deleted bytes were overwritten (secure_delete), so that
//     the manifest's text stands nowhere any more.
// A crash between them is taken up by the next start, or by forgetting once more.

/// The tombstone of an utterance.
package struct ForgottenUtterance: Equatable, Sendable {
    /// 32 hexadecimal digits.
    package let id: String
    /// Its place in the device's order.
    package let seq: UInt64
    /// The pin that sent it.
    package let device: String
    /// Milliseconds since 1970.
    package let forgottenAt: Int64
}

extension Inbox {
    /// Withdraws an utterance, whatever of it is here; false when nothing of it ever was. Once more is no error.
    /// Throws `file`, `store`; then it is withdrawn already when the next question about it is answered, or not at
    /// all. Blocks for a commit and a sync for each file.
    package func forget(utterance id: String) throws(InboxError) -> Bool {
        let now = clock.now().milliseconds
        let known = try store { () throws(StoreError) in
            try write { connection throws(StoreError) in try Self.withdraw(id, at: now, &connection) }
        }
        guard known else { return false }
        for upload in try uploads(of: id) {
            if let live = live.withLock({ $0.removeValue(forKey: upload.id) }) { _ = close(live) }
            try removeWithdrawn(upload)
        }
        try emptyLog()
        return true
    }

    /// All tombstones whose id begins with `prefix`, the latest withdrawal last.
    package func forgotten(idPrefix prefix: String = "") throws(InboxError) -> [ForgottenUtterance] {
        try store { () throws(StoreError) in
            try database.rows(
                """
                SELECT utterance, min(seq), min(device), min(forgotten_at) AS at FROM uploads
                WHERE forgotten_at IS NOT NULL AND substr(utterance, 1, ?) = ? GROUP BY utterance ORDER BY at, utterance
                """,
                [.integer(Int64(prefix.utf8.count)), .text(prefix)])
        }.map { row in
            ForgottenUtterance(
                id: row.text(0) ?? "", seq: UInt64(clamping: row.integer(1) ?? 0), device: row.text(2) ?? "",
                forgottenAt: row.integer(3) ?? 0)
        }
    }

    private static func withdraw(
        _ id: String, at now: Int64, _ connection: inout Connection
    ) throws(StoreError) -> Bool {
        let id = SQLValue.text(id)
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
        try connection.rows("DELETE FROM utterances WHERE id = ?", [id])
        return true
    }

    /// Removes whatever file of a withdrawn upload is still there.
    func removeWithdrawn(_ upload: Upload) throws(InboxError) {
        try files { () throws(DurableFileError) in try calls.unlink(folder.partial(upload.id)) }
        try removeUnlessNamed(upload.sha256, upload.ext)
        try removeLooseFiles(of: upload.utterance)
    }

    /// At start: what a crash left of withdrawn utterances.
    func removeAllWithdrawn() throws(InboxError) {
        let rows = try store { () throws(StoreError) in
            try database.rows("SELECT \(Upload.columns) FROM uploads WHERE forgotten_at IS NOT NULL")
        }
        for upload in rows.compactMap(Upload.init(row:)) { try removeUnlessNamed(upload.sha256, upload.ext) }
    }

    private func uploads(of utterance: String) throws(InboxError) -> [Upload] {
        try store { () throws(StoreError) in
            try database.rows("SELECT \(Upload.columns) FROM uploads WHERE utterance = ?", [.text(utterance)])
        }.compactMap(Upload.init(row:))
    }

    /// A server that is reading keeps its part of the log until it has read: then the log is emptied later.
    private func emptyLog() throws(InboxError) {
        try store { () throws(StoreError) in
            var connection = try Connection(path: folder.database)
            try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }
}
