import Catalogue

extension SQLiteCatalogue {
    package func complete(
        _ upload: Upload, _ completion: Completion, at now: Int64
    ) throws(StoreError) -> CompletionOutcome {
        let outcome = try write { connection throws(StoreError) -> CompletionOutcome in
            try connection.rows(
                "UPDATE uploads SET completed_at = ? WHERE id = ? AND completed_at IS NULL",
                [.integer(now), .text(upload.id)])
            guard connection.changes == 1 else { return try Self.standing(of: upload, &connection) }
            // A plain file is whole by itself, and no utterance.
            var whole = true
            if upload.kind != .file { whole = try Self.change(upload, completion, at: now, &connection) }
            if upload.kind == .manifest { try happened(.rung, upload.id, at: now, &connection) }
            try happened(whole ? .whole : .stored, upload.id, at: now, &connection)
            return .stored(madeWhole: whole)
        }
        wake()
        return outcome
    }

    /// Of an upload that does not wait for its bytes.
    private static func standing(
        of upload: Upload, _ connection: inout Connection
    ) throws(StoreError) -> CompletionOutcome {
        let living = try connection.rows(
            "SELECT 1 FROM uploads WHERE id = ? AND forgotten_at IS NULL", [.text(upload.id)])
        return living.isEmpty ? .withdrawn : .stored(madeWhole: false)
    }

    /// The utterance's part of it; true when that became whole.
    private static func change(
        _ upload: Upload, _ completion: Completion, at now: Int64, _ connection: inout Connection
    ) throws(StoreError) -> Bool {
        let id = SQLValue.text(upload.utterance)
        try connection.rows(
            "INSERT INTO utterances (id, seq, device, first_at) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
            [id, .integer(Int64(upload.seq)), .text(upload.device), .integer(now)])
        if let manifest = completion.manifest { try keep(manifest, of: id, at: now, &connection) }
        if let audio = completion.audio {
            try connection.rows(
                "UPDATE utterances SET audio_sha256 = ?, audio_ext = ?, audio_bytes = ? WHERE id = ?",
                [.text(audio.name.sha256), .text(audio.name.ext), .integer(Int64(audio.bytes)), id])
            try connection.rows("DELETE FROM loose_files WHERE utterance = ?", [id])
        }
        if let part = completion.part {
            try connection.rows(
                "UPDATE utterances SET part = ? WHERE id = ?", [.integer(part.rawValue), id])
        }
        let needsAudio = completion.manifest?.needsAudio ?? true
        try connection.rows(
            """
            UPDATE utterances SET stored_at = ? WHERE id = ? AND stored_at IS NULL AND manifest IS NOT NULL
                AND part <> \(PartState.awaited.rawValue) AND (audio_sha256 IS NOT NULL OR ? = 0)
            """,
            [.integer(now), id, .integer(needsAudio ? 1 : 0)])
        return connection.changes == 1
    }

    private static func keep(
        _ manifest: KeptManifest, of id: SQLValue, at now: Int64, _ connection: inout Connection
    ) throws(StoreError) {
        try connection.rows(
            """
            UPDATE utterances SET manifest = ?, manifest_sha256 = ?, rang_at = coalesce(rang_at, ?), recorder = ?,
                boot_id = ?, start_boot = ?, start_wall = ?, wall_synchronised = ? WHERE id = ?
            """,
            [
                .blob(manifest.bytes), .text(manifest.sha256), .integer(now), .text(manifest.recorder),
                .text(manifest.bootID), .integer(manifest.startBoot), .integer(manifest.startWall),
                .integer(optional: manifest.wallSynchronised.map { $0 ? 1 : 0 }), id,
            ])
    }
}
