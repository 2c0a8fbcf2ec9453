import Catalogue

extension SQLiteCatalogue {
    package func upload(_ id: String) throws(StoreError) -> Upload? {
        try database.rows("SELECT \(Upload.columns) FROM uploads WHERE id = ?", [.text(id)])
            .first.flatMap { Upload(row: $0) }
    }

    package func uploads(_ selection: UploadSelection) throws(StoreError) -> [Upload] {
        let rows =
            switch selection {
            case .all: try database.rows("SELECT \(Upload.columns) FROM uploads")
            case .of(let utterance):
                try database.rows(
                    "SELECT \(Upload.columns) FROM uploads WHERE utterance = ?", [.text(utterance)])
            case .half(let limit):
                try database.rows(
                    """
                    SELECT \(Upload.columns) FROM uploads WHERE completed_at IS NULL AND created_at < ?
                    ORDER BY created_at, kind <> 'manifest'
                    """, [.integer(limit)])
            case .withdrawn:
                try database.rows("SELECT \(Upload.columns) FROM uploads WHERE forgotten_at IS NOT NULL")
            }
        return rows.compactMap { Upload(row: $0) }
    }

    package func announce(_ new: AnnouncedUpload) throws(StoreError) -> Bool {
        try writeLazily { connection throws(StoreError) in
            try connection.rows(
                """
                INSERT INTO uploads (id, utterance, kind, seq, device, length, sha256, ext, signature, metadata,
                    created_at, completed_at, forgotten_at)
                SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, withdrawn, withdrawn
                FROM (SELECT max(forgotten_at) AS withdrawn FROM uploads WHERE utterance = ?) WHERE TRUE
                ON CONFLICT (id) DO NOTHING
                """,
                [
                    .text(new.id), .text(new.utterance), .text(new.kind.rawValue),
                    .integer(Int64(new.seq)), .text(new.device), .integer(Int64(new.length)),
                    .text(new.sha256), .text(new.ext), .text(optional: new.signature),
                    .text(optional: new.metadata), .integer(new.at), .text(new.utterance),
                ])
            return connection.changes == 1
        }
    }

    package func drop(upload id: String) throws(StoreError) {
        try writeLazily { connection throws(StoreError) in
            try connection.rows("DELETE FROM uploads WHERE id = ? AND completed_at IS NULL", [.text(id)])
        }
    }

    package func name(upload id: String, sha256: String) throws(StoreError) {
        try write { connection throws(StoreError) in
            try connection.rows(
                "UPDATE uploads SET sha256 = ? WHERE id = ? AND forgotten_at IS NULL",
                [.text(sha256), .text(id)])
        }
    }

    package func hold(upload id: String, by pin: String) throws(StoreError) {
        try writeLazily { connection throws(StoreError) in
            try connection.rows(
                "INSERT INTO holders (upload, device) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [.text(id), .text(pin)])
        }
    }

    package func holds(upload id: String, pin: String) throws(StoreError) -> Bool {
        try !database.rows(
            "SELECT 1 FROM holders WHERE upload = ? AND device = ?", [.text(id), .text(pin)]
        ).isEmpty
    }

    package func halfCount(of device: String) throws(StoreError) -> Int {
        Int(
            try database.rows(
                "SELECT count(*) FROM uploads WHERE device = ? AND completed_at IS NULL", [.text(device)]
            ).first?.integer(0) ?? 0)
    }

    package func usage(of device: String) throws(StoreError) -> Int {
        Int(
            try database.rows("SELECT bytes FROM usage WHERE device = ?", [.text(device)])
                .first?.integer(0) ?? 0)
    }

    package func files(idPrefix prefix: String) throws(StoreError) -> [CataloguedFile] {
        try database.rows(
            """
            SELECT \(Upload.columns), completed_at, (SELECT name FROM devices WHERE pin = device) FROM uploads
            WHERE kind = 'file' AND completed_at IS NOT NULL AND forgotten_at IS NULL
                AND substr(utterance, 1, ?) = ? ORDER BY completed_at, utterance
            """, [.integer(Int64(prefix.utf8.count)), .text(prefix)]
        ).compactMap { row in
            Upload(row: row).map {
                CataloguedFile(upload: $0, deviceName: row.text(12), storedAt: row.integer(11) ?? 0)
            }
        }
    }
}

extension Upload {
    static let columns =
        "id, utterance, kind, seq, device, length, sha256, ext, completed_at, forgotten_at, metadata"

    /// Nil for a row that this program did not write.
    init?(row: SQLRow) {
        guard let id = row.text(0), let utterance = row.text(1),
            let kind = row.text(2).flatMap(StoredKind.init(rawValue:)),
            let seq = row.integer(3).flatMap(UInt64.init(exactly:)), let device = row.text(4),
            let length = row.integer(5), let sha256 = row.text(6), let ext = row.text(7)
        else { return nil }
        self.init(
            id: id, utterance: utterance, kind: kind, seq: seq, device: device, length: Int(length),
            sha256: sha256, ext: ext, complete: row.integer(8) != nil, forgotten: row.integer(9) != nil,
            metadata: row.text(10))
    }
}
