import DurableFiles
import SQLiteStore
import Sealing
import Wire

// Order of the last steps
//  1. Claim: from here on nobody writes and nobody else finishes.
//  2. Hash what is on the disk, not what passed through memory.
//  3. audio, tail: fsync the file, rename it to its content's name, fsync that folder.
//     manifest: read it; its bytes go into the commit itself.
//  4. Commit row and utterance, synchronous = FULL.
//  5. manifest: remove the file in incoming/. What a crash leaves of it is cleared at start.

extension Inbox {
    /// Takes the last steps of an upload whose bytes are all here, or says that it is complete already.
    ///
    /// When it returns, the upload survives a power cut and its receipt may be given. Throws `unknownUpload`,
    /// `unfinished`, `beingFinished`, `wrongHash` (the upload then stands at 0 again), `unusable` (the upload is
    /// forgotten), `file`, `store` (the bytes stay and it may be tried again). Blocks for hashing, two syncs and
    /// a commit.
    package func finish(_ id: String) throws(InboxError) -> Finished {
        guard let upload = try find(id) else { throw .unknownUpload }
        if upload.complete { return Finished(upload: upload, madeWhole: false) }
        let live = try liveUpload(upload)
        guard try claim(live, upload) else {
            guard let again = try find(id), again.complete else { throw .unknownUpload }
            return Finished(upload: again, madeWhole: false)
        }
        do {
            let whole = try settle(upload)
            live.state.withLock { $0.phase = .over }
            self.live.withLock { _ = $0.removeValue(forKey: id) }
            return Finished(upload: upload, madeWhole: whole)
        } catch {
            try release(live, upload, after: error)
            throw error
        }
    }

    /// False when another request has completed it meanwhile.
    private func claim(_ live: LiveUpload, _ upload: Upload) throws(InboxError) -> Bool {
        try live.state.withLock { state throws(InboxError) in
            switch state.phase {
            case .over: return false
            case .finishing: throw .beingFinished
            case .open:
                guard state.size == upload.length else {
                    throw .unfinished(stands: state.size, length: upload.length)
                }
                state.phase = .finishing
                state.generation += 1
                return true
            }
        }
    }

    private func release(_ live: LiveUpload, _ upload: Upload, after error: InboxError) throws(InboxError) {
        switch error {
        case .wrongHash:
            try empty(upload)
            live.state.withLock {
                $0.size = 0
                $0.phase = .open
            }
        case .unusable:
            live.state.withLock { $0.phase = .over }
            try forget(upload)
        case .unknownUpload, .conflicting, .wrongOffset, .unfinished, .beingFinished, .superseded, .tooMuch,
            .alreadyComplete, .overQuota, .file, .store, .inUse:
            live.state.withLock { $0.phase = .open }
        }
    }

    /// Steps 2 to 5; true when the utterance became whole.
    private func settle(_ upload: Upload) throws(InboxError) -> Bool {
        let partial = folder.partial(upload.id)
        let source = try exists(partial) ? partial : folder.stored(upload.sha256, ext: upload.ext)
        let found = try hash(of: source)
        guard found == upload.sha256 else { throw .wrongHash(announced: upload.sha256, found: found) }
        switch upload.kind {
        case .manifest:
            let bytes = try files { () throws(DurableFileError) in try calls.contents(source) }
            let manifest = try read(bytes, of: upload)
            let whole = try complete(upload, manifest: (manifest, bytes))
            // Its bytes are safe in the database: failing to tidy up is no failure of the upload.
            try? calls.unlink(partial)
            return whole
        case .audio, .tail:
            try shelve(upload, from: source)
            return try complete(upload, manifest: nil)
        }
    }

    private func shelve(_ upload: Upload, from source: String) throws(InboxError) {
        try files { () throws(DurableFileError) in
            try calls.open(source, .update(creating: false)).sync()
            try calls.makeFolders(folder.shelf(upload.sha256))
            let name = folder.stored(upload.sha256, ext: upload.ext)
            // The same content may be there from another upload; this copy was just found right.
            if source != name { try calls.rename(source, name) }
            try calls.syncFolder(folder.shelf(upload.sha256))
        }
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

    private func complete(
        _ upload: Upload, manifest: (Manifest, [UInt8])?
    ) throws(InboxError) -> Bool {
        let now = SQLValue.integer(clock.now().milliseconds)
        let id = SQLValue.text(upload.utterance)
        return try commit { connection throws(StoreError) in
            try connection.rows("UPDATE uploads SET completed_at = ? WHERE id = ?", [now, .text(upload.id)])
            try connection.rows(
                "INSERT INTO utterances (id, seq, device, first_at) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
                [id, .integer(Int64(upload.seq)), .text(upload.device), now])
            if let (_, bytes) = manifest {
                try connection.rows(
                    "UPDATE utterances SET manifest = ?, rang_at = ? WHERE id = ?", [.blob(bytes), now, id])
            } else if upload.kind == .audio {
                try connection.rows(
                    "UPDATE utterances SET audio_sha256 = ?, audio_ext = ?, audio_bytes = ? WHERE id = ?",
                    [.text(upload.sha256), .text(upload.ext), .integer(Int64(upload.length)), id])
            }
            // A gap record has no audio and is whole by itself.
            let needsAudio: Int64 = if case .gap = manifest?.0.kind { 0 } else { 1 }
            try connection.rows(
                """
                UPDATE utterances SET stored_at = ? WHERE id = ? AND stored_at IS NULL AND manifest IS NOT NULL
                    AND (audio_sha256 IS NOT NULL OR ? = 0)
                """,
                [now, id, .integer(needsAudio)])
            return connection.changes == 1
        }
    }

    /// The next bytes begin the upload anew. A stored file that has rotted since its rename goes as well.
    private func empty(_ upload: Upload) throws(InboxError) {
        try files { () throws(DurableFileError) in
            let partial = folder.partial(upload.id)
            try calls.unlink(partial)
            _ = try calls.open(partial, .createOrEmpty)
        }
    }

    func exists(_ path: String) throws(InboxError) -> Bool {
        try files { () throws(DurableFileError) in
            do throws(DurableFileError) {
                _ = try calls.size(path)
                return true
            } catch {
                guard error.isMissing else { throw error }
                return false
            }
        }
    }

    /// SHA-256 of a file, 64 hexadecimal digits; 256 kB in memory at a time.
    func hash(of path: String) throws(InboxError) -> String {
        try files { () throws(DurableFileError) in
            let file = try calls.open(path, .read)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
            defer { buffer.deallocate() }
            var hash = SHA256()
            var done = 0
            while true {
                let count = try file.read(into: buffer, at: done)
                if count == 0 { return hash.finish().hex }
                hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                done += count
            }
        }
    }
}
