import DurableFiles
import SQLiteStore
import Sealing
import Wire

// Files of other tus clients: whoever holds a key that the owner added may send any file. It has no utterance and no
// announced hash; it is kept as it came.
//
// Order of its last steps: its hash is committed before the rename, because its name is its hash: a start that finds it
// under that name knows whose it is.

/// A file that another tus client announces.
package struct NewFile: Equatable, Sendable {
    /// Bytes.
    package let length: Int
    /// Of the stored file: lower-case letters and digits.
    package let ext: String
    /// `Upload-Metadata` as it came; empty for none.
    package let metadata: String
    /// The pin that creates it, 64 hexadecimal digits.
    package let device: String

    package init(length: Int, ext: String, metadata: String, device: String) {
        self.length = length
        self.ext = ext
        self.metadata = metadata
        self.device = device
    }

    /// From the header of a creation request that names no utterance.
    package init(_ metadata: UploadMetadata, header: String, length: Int, device: String) {
        self.init(
            length: length, ext: NewUpload.ext(of: metadata.filename ?? ""), metadata: header, device: device)
    }
}

/// A file of another tus client that is here.
package struct PlainFile: Equatable, Sendable {
    /// 32 hexadecimal digits: what `forget` takes.
    package let id: String
    /// As its client called it, without controls; nil when it did not.
    package let name: String?
    /// The pin that sent it.
    package let device: String
    /// The device's name; nil for one that was removed.
    package let deviceName: String?
    package let bytes: Int
    /// 64 hexadecimal digits.
    package let sha256: String
    /// The stored file.
    package let path: String
    /// Milliseconds since 1970.
    package let storedAt: Int64
}

extension Inbox {
    /// Begins a plain file; each call begins another one. Throws `tooMuch`, `overQuota`, `tooManyHalves`, `noRoom`,
    /// `file`, `store`. Blocks for no sync.
    package func create(file new: NewFile) throws(InboxError) -> Upload {
        guard new.length <= settings.largestUpload else { throw .tooMuch(length: settings.largestUpload) }
        try checkBounds(device: new.device, length: new.length)
        let id = Hex.encode(randomBytes(32))
        let now = clock.now().milliseconds
        try store { () throws(StoreError) in
            try write(lazily: true) { connection throws(StoreError) in
                try connection.rows(
                    """
                    INSERT INTO uploads (id, utterance, kind, seq, device, length, sha256, ext, created_at, metadata)
                    VALUES (?, ?, ?, 0, ?, ?, '', ?, ?, ?)
                    """,
                    [
                        .text(id), .text(randomID()), .text(StoredKind.file.rawValue), .text(new.device),
                        .integer(Int64(new.length)), .text(new.ext), .integer(now), .text(new.metadata),
                    ])
            }
        }
        guard let made = try find(id) else { throw .unknownUpload }
        try reserve(made)
        return made
    }

    /// The whole plain files whose id begins with `prefix`, in the order in which they came.
    package func plainFiles(idPrefix prefix: String = "") throws(InboxError) -> [PlainFile] {
        try store { () throws(StoreError) in
            try database.rows(
                """
                SELECT u.utterance, u.metadata, u.device, d.name, u.length, u.sha256, u.ext, u.completed_at
                FROM uploads u LEFT JOIN devices d ON d.pin = u.device
                WHERE u.kind = 'file' AND u.completed_at IS NOT NULL AND u.forgotten_at IS NULL
                    AND substr(u.utterance, 1, ?) = ? ORDER BY u.completed_at, u.utterance
                """, [.integer(Int64(prefix.utf8.count)), .text(prefix)])
        }.map { row in
            let sha256 = row.text(5) ?? ""
            return PlainFile(
                id: row.text(0) ?? "", name: Self.shownName(row.text(1) ?? ""), device: row.text(2) ?? "",
                deviceName: row.text(3), bytes: Int(row.integer(4) ?? 0), sha256: sha256,
                path: folder.stored(sha256, ext: row.text(6) ?? ""), storedAt: row.integer(7) ?? 0)
        }
    }

    /// Commits what a file will be called.
    func name(_ upload: inout Upload, by sha256: String) throws(InboxError) {
        let id = SQLValue.text(upload.id)
        try store { () throws(StoreError) in
            try write { connection throws(StoreError) in
                try connection.rows(
                    "UPDATE uploads SET sha256 = ? WHERE id = ? AND forgotten_at IS NULL",
                    [.text(sha256), id])
            }
        }
        upload.sha256 = sha256
    }

    /// A name that may stand in a terminal: at most 100 characters, no control among them.
    private static func shownName(_ metadata: String) -> String? {
        guard let name = (try? UploadMetadata(parsing: metadata))?.filename else { return nil }
        let plain = name.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let shown = String(String(String.UnicodeScalarView(plain)).prefix(100))
        return shown.isEmpty ? nil : shown
    }
}
