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
            /// A sealed file that no key of this host opens to its end.
            case sealed
            /// A manifest that names another recording.
            case mismatched
            /// A key of the host that cannot be read.
            case key
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
    /// Hashes everything stored, opens everything sealed, and compares files and rows both ways. Changes nothing; may
    /// run beside a server.
    package func check() throws(InboxError) -> InboxCheck {
        var check = InboxCheck()
        // The folder is listed before the rows are read: a file that arrives meanwhile has its row by then.
        let listed = try storedFiles()
        let uploads = try store { () throws(StoreError) in
            try database.rows("SELECT \(Upload.columns) FROM uploads")
        }.compactMap(Upload.init(row:))
        let parts = try partStates()
        var checked: Set<String> = []
        var expected: Set<String> = []
        for upload in uploads where upload.kind != .manifest && !upload.forgotten {
            let path = folder.stored(upload.sha256, ext: upload.ext)
            // Announced and not yet committed: a server is just finishing it, or will at its next start.
            expected.insert(path)
            guard upload.complete, checked.insert(path).inserted else { continue }
            let isPart = upload.kind == .audio && (parts[upload.utterance] ?? .no) != .no
            let file = CheckedFile(
                path: path, sha256: upload.sha256, bytes: upload.length,
                // A plain file may be sealed to anybody.
                isOpened: upload.sealed && !isPart && upload.kind != .file,
                what: "t" + upload.subject.dropFirst())
            try checkFile(file, &check)
        }
        for utterance in try utterances() {
            guard let audio = utterance.audio, checked.insert(audio.path).inserted else { continue }
            expected.insert(audio.path)
            let file = CheckedFile(
                path: audio.path, sha256: audio.sha256, bytes: audio.bytes, isOpened: audio.isSealed,
                what: "the recording that was put together of utterance \(utterance.id)")
            try checkFile(file, &check)
        }
        try checkStrays(listed.filter { !expected.contains($0) }, uploads, &check)
        try checkManifests(uploads, &check)
        if let problem = try keys.read().problem {
            check.problems.append(.init(kind: .key, subject: folder.keys, explanation: problem.description))
        }
        try checkDatabase(&check)
        return check
    }

    private func partStates() throws(InboxError) -> [String: PartState] {
        let rows = try store { () throws(StoreError) in
            try database.rows("SELECT id, part FROM utterances WHERE part <> 0")
        }
        var states: [String: PartState] = [:]
        for row in rows {
            if let id = row.text(0) { states[id] = row.integer(1).flatMap(PartState.init(rawValue:)) }
        }
        return states
    }

    private func checkStrays(
        _ paths: [String], _ uploads: [Upload], _ check: inout InboxCheck
    ) throws(InboxError) {
        var explained: [String: String] = [:]
        let loose = try store { () throws(StoreError) in
            try database.rows("SELECT sha256, ext FROM loose_files")
        }
        for row in loose {
            guard let sha256 = row.text(0), let ext = row.text(1) else { continue }
            explained[folder.stored(sha256, ext: ext)] = "was half made: the server's next start removes it."
        }
        for upload in uploads where upload.forgotten {
            explained[folder.stored(upload.sha256, ext: upload.ext)] =
                "is of utterance \(upload.utterance), which was forgotten: forget it once more, or start the server."
        }
        for path in paths {
            check.problems.append(
                .init(
                    kind: .stray, subject: path,
                    explanation: "\(path) " + (explained[path] ?? "belongs to no upload.")))
        }
    }

    private func checkManifests(_ uploads: [Upload], _ check: inout InboxCheck) throws(InboxError) {
        let announced = Dictionary(
            uploads.filter { $0.kind == .manifest && $0.complete }.map { ($0.utterance, $0) },
            uniquingKeysWith: { first, _ in first })
        let rows = try store { () throws(StoreError) in
            try database.rows(
                "SELECT id, manifest, manifest_sha256 FROM utterances WHERE manifest IS NOT NULL")
        }
        for row in rows {
            guard let id = row.text(0), let bytes = row.blob(1) else { continue }
            check.checked += 1
            check.bytes += bytes.count
            // Rows of an older program have the hash of their upload alone.
            if (row.text(2) ?? announced[id]?.sha256) != SHA256.digest(of: bytes).hex {
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
