import Catalogue
import DurableFiles
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
        // The shelf is listed before the rows are read: an object that arrives meanwhile has its row by then.
        let listed = try store { () throws(StoreError) in try shelf.places() }
        let uploads = try store { () throws(StoreError) in try catalogue.uploads(.all) }
        let utterances = try store { () throws(StoreError) in
            try catalogue.utterances(idPrefix: "", limit: .max)
        }
        let parts = Set(utterances.filter { $0.part != .no }.map(\.id))
        var checked: Set<ShelfName> = []
        var expected: Set<ShelfName> = []
        for upload in uploads where upload.kind != .manifest && !upload.forgotten {
            // Announced and not yet committed: a server is just finishing it, or will at its next start.
            expected.insert(upload.name)
            guard upload.complete, checked.insert(upload.name).inserted else { continue }
            let isPart = upload.kind == .audio && parts.contains(upload.utterance)
            let file = CheckedFile(
                name: upload.name, bytes: upload.length,
                // A plain file may be sealed to anybody.
                isOpened: upload.sealed && !isPart && upload.kind != .file,
                what: "t" + upload.subject.dropFirst())
            try checkFile(file, &check)
        }
        for utterance in utterances {
            guard let audio = utterance.audio, checked.insert(audio.name).inserted else { continue }
            expected.insert(audio.name)
            let file = CheckedFile(
                name: audio.name, bytes: audio.bytes, isOpened: audio.name.ext.hasSuffix(".age"),
                what: "the recording that was put together of utterance \(utterance.id)")
            try checkFile(file, &check)
        }
        let places = Set(expected.map { shelf.place(of: $0) })
        try checkStrays(listed.filter { !places.contains($0) }, uploads, &check)
        checkManifests(utterances, uploads, &check)
        if let problem = try keys.read().problem {
            check.problems.append(.init(kind: .key, subject: folder.keys, explanation: problem.description))
        }
        for fault in try store({ () throws(StoreError) in try catalogue.faults() }) {
            check.problems.append(
                .init(kind: .database, subject: folder.database, explanation: "The database: \(fault)."))
        }
        return check
    }

    private func checkStrays(
        _ paths: [String], _ uploads: [Upload], _ check: inout InboxCheck
    ) throws(InboxError) {
        var explained: [String: String] = [:]
        let loose = try store { () throws(StoreError) in try catalogue.loose(of: nil) }
        for name in loose {
            explained[shelf.place(of: name)] = "was half made: the server's next start removes it."
        }
        for upload in uploads where upload.forgotten {
            explained[shelf.place(of: upload.name)] =
                "is of utterance \(upload.utterance), which was forgotten: forget it once more, or start the server."
        }
        for path in paths {
            check.problems.append(
                .init(
                    kind: .stray, subject: path,
                    explanation: "\(path) " + (explained[path] ?? "belongs to no upload.")))
        }
    }

    private func checkManifests(
        _ utterances: [CataloguedUtterance], _ uploads: [Upload], _ check: inout InboxCheck
    ) {
        let announced = Dictionary(
            uploads.filter { $0.kind == .manifest && $0.complete }.map { ($0.utterance, $0) },
            uniquingKeysWith: { first, _ in first })
        for utterance in utterances {
            guard let bytes = utterance.manifest else { continue }
            check.checked += 1
            check.bytes += bytes.count
            // Rows of an older program have the hash of their upload alone.
            if (utterance.manifestSHA256 ?? announced[utterance.id]?.sha256) != SHA256.digest(of: bytes).hex {
                check.problems.append(
                    .init(
                        kind: .damaged, subject: utterance.id,
                        explanation: "The manifest of utterance \(utterance.id) is not what was received."))
            }
        }
        for utterance in utterances where stored(utterance).namesOtherAudio {
            check.problems.append(
                .init(
                    kind: .mismatched, subject: utterance.id,
                    explanation:
                        "The manifest of utterance \(utterance.id) names another recording than the one that came."
                ))
        }
    }
}
