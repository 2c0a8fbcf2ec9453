import SQLiteStore
import Wire

/// An utterance as far as it has come.
package struct StoredUtterance: Equatable, Sendable {
    /// The stored recording.
    package struct Audio: Equatable, Sendable {
        /// 64 hexadecimal digits.
        package let sha256: String
        /// Of the file.
        package let bytes: Int
        /// The stored file; `withAudio` opens a sealed one.
        package let path: String

        /// It is an age file.
        package var isSealed: Bool { path.hasSuffix(".age") }
    }

    /// 32 hexadecimal digits.
    package let id: String
    /// Its place in the device's order.
    package let seq: UInt64
    /// The pin that sent its first part.
    package let device: String
    /// The device's name as paired; nil for one that was removed.
    package let deviceName: String?
    /// Nil until it has rung.
    package let manifest: Manifest?
    /// Nil until the recording is here.
    package let audio: Audio?
    /// When its first part was stored, milliseconds since 1970.
    package let firstAt: Int64
    /// When it was whole, milliseconds since 1970; nil until then.
    package let storedAt: Int64?

    /// Both parts are here, and the manifest names this audio.
    package var isWhole: Bool { storedAt != nil && !namesOtherAudio }

    /// The manifest names another recording than the one that came.
    package var namesOtherAudio: Bool {
        guard let manifest, let audio, !manifest.sha256.isEmpty else { return false }
        return manifest.sha256 != audio.sha256
    }
}

extension Inbox {
    /// All utterances whose id begins with `prefix`, in the order in which they came.
    package func utterances(idPrefix prefix: String = "", limit: Int = .max) throws(InboxError)
        -> [StoredUtterance]
    {
        let rows = try store { () throws(StoreError) in
            try database.rows(
                """
                SELECT * FROM (
                    SELECT u.id, u.seq, u.device, d.name, u.manifest, u.audio_sha256, u.audio_ext, u.audio_bytes,
                        u.first_at, u.stored_at
                    FROM utterances u LEFT JOIN devices d ON d.pin = u.device WHERE substr(u.id, 1, ?) = ?
                    ORDER BY u.first_at DESC, u.device DESC, u.seq DESC LIMIT ?
                ) ORDER BY first_at, device, seq
                """,
                [.integer(Int64(prefix.utf8.count)), .text(prefix), .integer(Int64(limit))])
        }
        return rows.map(utterance)
    }

    private func utterance(_ row: SQLRow) -> StoredUtterance {
        var audio: StoredUtterance.Audio?
        if let sha256 = row.text(5), let ext = row.text(6), let bytes = row.integer(7) {
            audio = .init(sha256: sha256, bytes: Int(bytes), path: folder.stored(sha256, ext: ext))
        }
        return StoredUtterance(
            id: row.text(0) ?? "", seq: UInt64(clamping: row.integer(1) ?? 0), device: row.text(2) ?? "",
            deviceName: row.text(3),
            manifest: row.blob(4).flatMap { try? Manifest(parsing: $0) }, audio: audio,
            firstAt: row.integer(8) ?? 0,
            storedAt: row.integer(9))
    }
}
