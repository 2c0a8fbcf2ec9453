import DurableFiles
import SQLiteStore
import Sealing
import Wire

/// What a check of everything stored found.
package struct InboxCheck: Equatable, Sendable {
    /// One thing that is not as it should be.
    package struct Problem: Equatable, Sendable {
        /// What is wrong, in a word that JSON carries.
        package enum Kind: String, Sendable {
            /// A row without its file.
            case missing
            /// A file that is not what its name says.
            case damaged
            /// A file without a row.
            case stray
            /// A manifest that names another recording.
            case mismatched
            /// The database itself.
            case database
        }

        /// What is wrong.
        package let kind: Kind
        /// The file, or the utterance's id, or the database's file.
        package let subject: String
        /// A sentence.
        package let explanation: String
    }

    /// Files and manifests that were hashed.
    package var checked = 0
    /// In them.
    package var bytes = 0
    /// Empty when all is well.
    package var problems: [Problem] = []
}

extension Inbox {
    /// Hashes everything stored and compares files and rows both ways. Changes nothing; may run beside a server.
    package func check() throws(InboxError) -> InboxCheck {
        var check = InboxCheck()
        // The folder is listed before the rows are read: a file that arrives meanwhile has its row by then.
        let listed = try storedFiles()
        let uploads = try store { () throws(StoreError) in
            try database.rows("SELECT \(Upload.columns) FROM uploads")
        }.compactMap(Upload.init(row:))
        let files = uploads.filter { $0.kind != .manifest }
        var paths: Set<String> = []
        for upload in files where upload.complete {
            let path = folder.stored(upload.sha256, ext: upload.ext)
            if paths.insert(path).inserted { try checkFile(path, upload, &check) }
        }
        // Renamed and not yet committed: a server is just finishing it, or will at its next start.
        let expected = Set(files.map { folder.stored($0.sha256, ext: $0.ext) })
        for path in listed where !expected.contains(path) {
            check.problems.append(
                .init(kind: .stray, subject: path, explanation: "\(path) belongs to no upload."))
        }
        try checkManifests(uploads, &check)
        try checkDatabase(&check)
        return check
    }

    private func storedFiles() throws(InboxError) -> [String] {
        try files { () throws(DurableFileError) in
            var paths: [String] = []
            for shelf in try calls.list(folder.audio) {
                for name in try calls.list(folder.audio + "/" + shelf) {
                    paths.append(folder.audio + "/" + shelf + "/" + name)
                }
            }
            return paths
        }
    }

    private func checkFile(_ path: String, _ upload: Upload, _ check: inout InboxCheck) throws(InboxError) {
        guard try exists(path) else {
            check.problems.append(
                .init(
                    kind: .missing, subject: path,
                    explanation:
                        "\(path), the \(upload.kind.rawValue) of utterance \(upload.utterance), is gone."))
            return
        }
        check.checked += 1
        check.bytes += upload.length
        if try hash(of: path) != upload.sha256 {
            check.problems.append(
                .init(
                    kind: .damaged, subject: path,
                    explanation: "\(path), the \(upload.kind.rawValue) of utterance \(upload.utterance), "
                        + "is not what was received: restore it from a back-up."))
        }
    }

    private func checkManifests(_ uploads: [Upload], _ check: inout InboxCheck) throws(InboxError) {
        let announced = Dictionary(
            uploads.filter { $0.kind == .manifest && $0.complete }.map { ($0.utterance, $0) },
            uniquingKeysWith: { first, _ in first })
        let rows = try store { () throws(StoreError) in
            try database.rows("SELECT id, manifest FROM utterances WHERE manifest IS NOT NULL")
        }
        for row in rows {
            guard let id = row.text(0), let bytes = row.blob(1) else { continue }
            check.checked += 1
            check.bytes += bytes.count
            if announced[id]?.sha256 != SHA256.digest(of: bytes).hex {
                check.problems.append(
                    .init(
                        kind: .damaged, subject: id,
                        explanation: "The manifest of utterance \(id) is not what was received."))
            }
        }
        for utterance in try utterances() where utterance.namesOtherAudio {
            check.problems.append(
                .init(
                    kind: .mismatched, subject: utterance.id,
                    explanation:
                        "The manifest of utterance \(utterance.id) names another recording than the one that came."
                ))
        }
    }

    private func checkDatabase(_ check: inout InboxCheck) throws(InboxError) {
        let rows = try store { () throws(StoreError) in try database.rows("PRAGMA quick_check") }
        for row in rows where row.text(0) != "ok" {
            check.problems.append(
                .init(
                    kind: .database, subject: folder.database,
                    explanation: "The database: \(row.text(0) ?? "damaged")."))
        }
    }
}
