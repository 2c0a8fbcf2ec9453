import DurableFiles
import SQLiteStore
import Sealing
import Wire

/// Whether an utterance's audio is a part that a power cut ended; `utterances.part` holds the number.
enum PartState: Int64 {
    /// It is a whole file, or nothing is known yet.
    case no = 0
    /// The manifest is the one of the press: part and tail are awaited, and then put together.
    case awaited = 1
    /// Part and tail were put together here; the manifest was completed with what came out.
    case assembled = 2
}

extension Inbox {
    /// The steps from hashing to the commit; true when the utterance became whole.
    ///
    /// A device ships the manifest first. Of sealed audio that does not open to its end only the manifest says
    /// whether that is damage or what a power cut left, so it waits for that.
    func settle(_ upload: inout Upload) throws(InboxError) -> Bool {
        let source = try whereItIs(upload)
        let found = try hash(of: source)
        if upload.kind == .file, upload.sha256.isEmpty { try name(&upload, by: found) }
        guard found == upload.sha256 else { throw .wrongHash(announced: upload.sha256, found: found) }
        switch upload.kind {
        case .manifest: return try settleManifest(upload, from: source)
        case .audio where upload.sealed:
            if try part(of: upload.utterance) == .awaited { return try settlePart(upload, from: source) }
            do throws(SealedFailure) { try open(sealed: source) { _ in } } catch {
                if case .broken = error, try !hasRung(upload.utterance) {
                    throw .manifestFirst(utterance: upload.utterance, kind: upload.kind.rawValue)
                }
                throw said(error, of: upload.subject)
            }
            return try settleWhole(upload, from: source)
        case .audio, .file: return try settleWhole(upload, from: source)
        case .tail:
            guard try hasRung(upload.utterance) else {
                throw .manifestFirst(utterance: upload.utterance, kind: upload.kind.rawValue)
            }
            if try part(of: upload.utterance) == .awaited { return try settlePart(upload, from: source) }
            return try settleWhole(upload, from: source)
        }
    }

    /// In incoming/, or after a crash under its content's name. Of an upload without a byte a crash may have left only
    /// its row.
    private func whereItIs(_ upload: Upload) throws(InboxError) -> String {
        let partial = folder.partial(upload.id)
        let stored = folder.stored(upload.sha256, ext: upload.ext)
        if try exists(partial) { return partial }
        if upload.length > 0 { return stored }
        if try exists(stored) { return stored }
        try files { () throws(DurableFileError) in _ = try calls.open(partial, .update(creating: true)) }
        return partial
    }

    private func settleManifest(_ upload: Upload, from source: String) throws(InboxError) -> Bool {
        var bytes = try files { () throws(DurableFileError) in try calls.contents(source) }
        if upload.sealed {
            do throws(SealedFailure) {
                let sealed = bytes
                bytes = try opening(source) { try AgeOpener.open(sealed, with: $0) }
            } catch {
                throw said(error, of: upload.subject)
            }
        }
        let manifest = try read(bytes, of: upload)
        let isHead = upload.sealed && manifest.sha256.isEmpty && manifest.kind == .utterance
        let whole = try complete(
            upload, Completion(manifest: (manifest, bytes), part: isHead ? .awaited : .no))
        // Its bytes are safe in the database: failing to tidy up is no failure of the upload.
        try? calls.unlink(folder.partial(upload.id))
        return whole
    }

    private func read(_ bytes: [UInt8], of upload: Upload) throws(InboxError) -> Manifest {
        let manifest: Manifest
        do { manifest = try Manifest(parsing: bytes) } catch { throw .unusable(reason: error.description) }
        guard manifest.utterance == upload.utterance else {
            throw .unusable(
                reason: "The manifest is of utterance \(manifest.utterance), not of \(upload.utterance).")
        }
        return manifest
    }

    private func settleWhole(_ upload: Upload, from source: String) throws(InboxError) -> Bool {
        try shelve(source, sha256: upload.sha256, ext: upload.ext)
        let audio = StoredFile(sha256: upload.sha256, ext: upload.ext, bytes: upload.length)
        return try complete(upload, Completion(audio: upload.kind == .audio ? audio : nil))
    }

    /// A part or its tail. One at a time: whichever comes last must see the other.
    private func settlePart(_ upload: Upload, from source: String) throws(InboxError) -> Bool {
        guard assembling.withLock({ $0.insert(upload.utterance).inserted }) else { throw .beingFinished }
        defer { assembling.withLock { _ = $0.remove(upload.utterance) } }
        if upload.kind == .audio {
            do throws(SealedFailure) { try checkKey(ofPart: source) } catch {
                throw said(error, of: upload.subject)
            }
        }
        try shelve(source, sha256: upload.sha256, ext: upload.ext)
        let other: StoredKind = upload.kind == .audio ? .tail : .audio
        guard let beside = try completed(other, of: upload.utterance) else {
            return try complete(upload, Completion())
        }
        let (part, tail) = upload.kind == .audio ? (upload, beside) : (beside, upload)
        return try complete(upload, try assembled(part: part, tail: tail))
    }

    /// Puts a file that was found right under its content's name, durably.
    func shelve(_ source: String, sha256: String, ext: String) throws(InboxError) {
        let shelf = folder.shelf(sha256)
        try files { () throws(DurableFileError) in
            try calls.open(source, .update(creating: false)).sync()
            if !shelves.withLock({ $0.contains(shelf) }) {
                try calls.makeFolders(shelf)
                shelves.withLock { _ = $0.insert(shelf) }
            }
        }
        // The row that says whose it is must not be younger on the disk than its name. Where several finish at once it
        // went there with another one's commit.
        try store { () throws(StoreError) in try database.settle() }
        try files { () throws(DurableFileError) in
            let name = folder.stored(sha256, ext: ext)
            // The same content may be there from another upload; this copy was just found right.
            if source != name { try calls.rename(source, name) }
            try calls.syncFolder(shelf)
        }
    }

    private func hasRung(_ utterance: String) throws(InboxError) -> Bool {
        try store { () throws(StoreError) in
            try !database.rows(
                "SELECT 1 FROM utterances WHERE id = ? AND manifest IS NOT NULL", [.text(utterance)]
            ).isEmpty
        }
    }

    private func part(of utterance: String) throws(InboxError) -> PartState {
        try store { () throws(StoreError) in
            try database.rows("SELECT part FROM utterances WHERE id = ?", [.text(utterance)])
        }.first?.integer(0).flatMap(PartState.init(rawValue:)) ?? .no
    }

    private func completed(_ kind: StoredKind, of utterance: String) throws(InboxError) -> Upload? {
        try store { () throws(StoreError) in
            try database.rows(
                "SELECT \(Upload.columns) FROM uploads WHERE utterance = ? AND kind = ? AND completed_at IS NOT NULL",
                [.text(utterance), .text(kind.rawValue)])
        }.first.flatMap(Upload.init(row:))
    }
}

extension Upload {
    /// For the begin of a sentence.
    var subject: String {
        switch kind {
        case .audio, .manifest, .tail: "The \(kind.rawValue) of utterance \(utterance)"
        case .file: "The file \(utterance)"
        }
    }
}
