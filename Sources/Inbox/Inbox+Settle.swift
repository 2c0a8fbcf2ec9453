import Catalogue
import DurableFiles
import Sealing
import Wire

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
            if try progress(upload).part == .awaited { return try settlePart(upload, from: source) }
            do throws(SealedFailure) { try open(sealed: source) { _ in } } catch {
                if case .broken = error, try !progress(upload).hasRung {
                    throw .manifestFirst(utterance: upload.utterance, kind: upload.kind.rawValue)
                }
                throw said(error, of: upload.subject)
            }
            return try settleWhole(upload, from: source)
        case .audio, .file: return try settleWhole(upload, from: source)
        case .tail:
            guard try progress(upload).hasRung else {
                throw .manifestFirst(utterance: upload.utterance, kind: upload.kind.rawValue)
            }
            if try progress(upload).part == .awaited { return try settlePart(upload, from: source) }
            return try settleWhole(upload, from: source)
        }
    }

    /// In incoming/, or after a crash under its content's name. Of an upload without a byte a crash may have left only
    /// its row.
    private func whereItIs(_ upload: Upload) throws(InboxError) -> ByteSource {
        let partial = folder.partial(upload.id)
        if try size(partial) != nil { return .incoming(partial) }
        if upload.length > 0 { return .shelf(upload.name) }
        if try isShelved(upload.name) { return .shelf(upload.name) }
        try files { () throws(DurableFileError) in _ = try calls.open(partial, .update(creating: true)) }
        return .incoming(partial)
    }

    private func progress(_ upload: Upload) throws(InboxError) -> UtteranceProgress {
        try store { () throws(StoreError) in try catalogue.progress(of: upload.utterance) }
    }

    private func settleManifest(_ upload: Upload, from source: ByteSource) throws(InboxError) -> Bool {
        var bytes = try beginning(of: source, most: upload.length)
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
            upload,
            Completion(
                manifest: KeptManifest(manifest, bytes, sentBy: upload.device), part: isHead ? .awaited : .no)
        )
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

    private func settleWhole(_ upload: Upload, from source: ByteSource) throws(InboxError) -> Bool {
        try shelve(source, as: upload.name)
        let audio = StoredFile(name: upload.name, bytes: upload.length)
        return try complete(upload, Completion(audio: upload.kind == .audio ? audio : nil))
    }

    /// A part or its tail. One at a time: whichever comes last must see the other.
    private func settlePart(_ upload: Upload, from source: ByteSource) throws(InboxError) -> Bool {
        guard assembling.withLock({ $0.insert(upload.utterance).inserted }) else { throw .beingFinished }
        defer { assembling.withLock { _ = $0.remove(upload.utterance) } }
        if upload.kind == .audio {
            do throws(SealedFailure) { try checkKey(ofPart: source) } catch {
                throw said(error, of: upload.subject)
            }
        }
        try shelve(source, as: upload.name)
        let other: StoredKind = upload.kind == .audio ? .tail : .audio
        guard let beside = try completed(other, of: upload.utterance) else {
            return try complete(upload, Completion())
        }
        let (part, tail) = upload.kind == .audio ? (upload, beside) : (beside, upload)
        return try complete(upload, try assembled(part: part, tail: tail))
    }

    /// Puts bytes that were found right under their content's name, durably. They may stand there already, from a try
    /// that did not come to its end.
    func shelve(_ source: ByteSource, as name: ShelfName) throws(InboxError) {
        switch source {
        case .incoming(let path):
            try files { () throws(DurableFileError) in
                try calls.open(path, .update(creating: false)).sync()
            }
            // The row that says whose it is must not be younger on the disk than its name. Where several finish at
            // once it went there with another one's commit.
            try store { () throws(StoreError) in
                try catalogue.settle()
                try shelf.put(path, as: name)
            }
        case .shelf:
            try store { () throws(StoreError) in
                try catalogue.settle()
                try shelf.settle(name)
            }
        }
    }

    private func completed(_ kind: StoredKind, of utterance: String) throws(InboxError) -> Upload? {
        try store { () throws(StoreError) in try catalogue.uploads(.of(utterance: utterance)) }
            .first { $0.kind == kind && $0.complete }
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
