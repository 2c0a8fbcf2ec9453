import DurableFiles
import SQLiteStore
import Sealing
import Wire

/// A file in audio/.
struct StoredFile: Equatable, Sendable {
    let sha256: String
    let ext: String
    let bytes: Int
}

/// What the commit that completes an upload says of its utterance; nil stays as it is.
struct Completion: Sendable {
    /// Read, and its clear bytes.
    var manifest: (Manifest, [UInt8])?
    var audio: StoredFile?
    var part: PartState?

    init(manifest: (Manifest, [UInt8])? = nil, audio: StoredFile? = nil, part: PartState? = nil) {
        self.manifest = manifest
        self.audio = audio
        self.part = part
    }
}

extension Inbox {
    /// The commit after which the receipt may be given; true when the utterance became whole by it.
    ///
    /// What was withdrawn meanwhile is not brought back: then only its file is removed.
    func complete(_ upload: Upload, _ completion: Completion) throws(InboxError) -> Bool {
        let now = SQLValue.integer(clock.now().milliseconds)
        let id = SQLValue.text(upload.utterance)
        let outcome: (withdrawn: Bool, whole: Bool) = try commit { connection throws(StoreError) in
            try connection.rows(
                "UPDATE uploads SET completed_at = ? WHERE id = ? AND forgotten_at IS NULL",
                [now, .text(upload.id)])
            guard connection.changes == 1 else { return (true, false) }
            // Whole by itself, and no utterance.
            if upload.kind == .file { return (false, true) }
            try connection.rows(
                "INSERT INTO utterances (id, seq, device, first_at) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
                [id, .integer(Int64(upload.seq)), .text(upload.device), now])
            if let (manifest, bytes) = completion.manifest {
                try Self.keep(manifest, bytes, of: upload, at: now, &connection)
            }
            if let audio = completion.audio {
                try connection.rows(
                    "UPDATE utterances SET audio_sha256 = ?, audio_ext = ?, audio_bytes = ? WHERE id = ?",
                    [.text(audio.sha256), .text(audio.ext), .integer(Int64(audio.bytes)), id])
                try connection.rows("DELETE FROM loose_files WHERE utterance = ?", [id])
            }
            if let part = completion.part {
                try connection.rows(
                    "UPDATE utterances SET part = ? WHERE id = ?", [.integer(part.rawValue), id])
            }
            // A gap record has no audio and is whole by itself.
            let needsAudio: Int64 = if case .gap = completion.manifest?.0.kind { 0 } else { 1 }
            try connection.rows(
                """
                UPDATE utterances SET stored_at = ? WHERE id = ? AND stored_at IS NULL AND manifest IS NOT NULL
                    AND part <> \(PartState.awaited.rawValue) AND (audio_sha256 IS NOT NULL OR ? = 0)
                """,
                [now, id, .integer(needsAudio)])
            return (false, connection.changes == 1)
        }
        if outcome.withdrawn { try removeWithdrawn(upload) }
        return outcome.whole
    }

    private static func keep(
        _ manifest: Manifest, _ bytes: [UInt8], of upload: Upload, at now: SQLValue,
        _ connection: inout Connection
    ) throws(StoreError) {
        try connection.rows(
            """
            UPDATE utterances SET manifest = ?, manifest_sha256 = ?, rang_at = coalesce(rang_at, ?), recorder = ?,
                boot_id = ?, start_boot = ?, start_wall = ?, wall_synchronised = ? WHERE id = ?
            """,
            [
                .blob(bytes), .text(SHA256.digest(of: bytes).hex), now,
                .text(manifest.device.isEmpty ? upload.device : manifest.device), .text(manifest.bootID),
                .integer(manifest.start.boot), .integer(manifest.start.wall),
                .integer(optional: manifest.wallSynchronised.map { $0 ? 1 : 0 }), .text(upload.utterance),
            ])
    }
}
