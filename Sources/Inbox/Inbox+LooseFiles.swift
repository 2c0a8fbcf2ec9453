import DurableFiles
import SQLiteStore
import Wire

// Invariants
//  1. A file that a living upload or utterance names is never removed, whoever else named it before: the question and
//     the removal stand in one transaction, and a new upload is announced in another.
//  2. A row leaves `loose_files` only when its file is gone durably.

extension Inbox {
    /// Commits that a file about to be shelved is not its utterance's yet.
    func noteLoose(_ file: StoredFile, of utterance: String) throws(InboxError) {
        try store { () throws(StoreError) in
            try write { connection throws(StoreError) in
                try connection.rows(
                    "INSERT INTO loose_files (sha256, ext, utterance) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    [.text(file.sha256), .text(file.ext), .text(utterance)])
            }
        }
    }

    /// Removes what was left half made or half removed of an utterance, or of all: of all only at start, because
    /// a file that is being made is loose until its commit.
    func removeLooseFiles(of utterance: String? = nil) throws(InboxError) {
        let rows = try store { () throws(StoreError) in
            try database.rows(
                "SELECT sha256, ext FROM loose_files WHERE ? IS NULL OR utterance = ?",
                [.text(optional: utterance), .text(optional: utterance)])
        }
        for row in rows {
            guard let sha256 = row.text(0), let ext = row.text(1) else { continue }
            try removeUnlessNamed(sha256, ext)
            try store { () throws(StoreError) in
                try write { connection throws(StoreError) in
                    try connection.rows(
                        "DELETE FROM loose_files WHERE sha256 = ? AND ext = ? AND (? IS NULL OR utterance = ?)",
                        [.text(sha256), .text(ext), .text(optional: utterance), .text(optional: utterance)])
                }
            }
        }
    }

    /// Removes the stored file with this content, durably, unless something that is not withdrawn names it.
    func removeUnlessNamed(_ sha256: String, _ ext: String) throws(InboxError) {
        let path = folder.stored(sha256, ext: ext)
        guard try exists(path) else { return }
        var failure: DurableFileError?
        try store { () throws(StoreError) in
            try write { connection throws(StoreError) in
                let named = try connection.rows(
                    """
                    SELECT 1 FROM uploads WHERE sha256 = ? AND ext = ? AND forgotten_at IS NULL
                    UNION ALL SELECT 1 FROM utterances WHERE audio_sha256 = ? AND audio_ext = ?
                    """,
                    [.text(sha256), .text(ext), .text(sha256), .text(ext)])
                guard named.isEmpty else { return }
                do throws(DurableFileError) { try calls.unlink(path) } catch { failure = error }
            }
        }
        if let failure { throw .file(failure) }
        try files { () throws(DurableFileError) in try calls.syncFolder(folder.shelf(sha256)) }
    }
}
