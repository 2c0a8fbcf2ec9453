import Catalogue
import DurableFiles
import Identity
import Wire

// Order of the last steps
//  1. Claim: from here on nobody writes and nobody else finishes.
//  2. Hash what is on the disk, not what passed through memory.
//  3. Sealed: open it to its last chunk (`Inbox+Settle`).
//  4. audio, tail, file: fsync the file, settle the row that announced it, put it on the shelf, durably.
//     manifest: read it; its bytes go into the commit itself.
//     The later of a part and its tail: put them together first (`Inbox+Assembly`).
//  5. Commit row and utterance, settled.
//  6. manifest: remove the file in incoming/. What a crash leaves of it is cleared at start.

extension Inbox {
    /// Takes the last steps of an upload whose bytes are all here, or says that it is complete already.
    ///
    /// When it returns, the upload survives a power cut and its receipt may be given. Throws `unknownUpload`,
    /// `unfinished`, `beingFinished`, `wrongHash` (the upload then stands at 0 again), `unusable` (the upload is
    /// forgotten), `manifestFirst`, `ownKeys`, `salvage`, `file`, `store` (the bytes stay and it may be tried again).
    /// Blocks for hashing, opening, two syncs and a commit.
    package func finish(_ id: String) throws(InboxError) -> Finished {
        guard let upload = try find(id) else { throw .unknownUpload }
        if upload.complete { return Finished(upload: upload, madeWhole: false) }
        let live = try liveUpload(upload)
        guard try claim(live, upload) else {
            guard let again = try find(id), again.complete else { throw .unknownUpload }
            return Finished(upload: again, madeWhole: false)
        }
        do {
            var upload = upload
            let whole = try settle(&upload)
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
            .unsigned, .manifestFirst, .badKey, .ownKeys, .salvage, .alreadyComplete, .overQuota,
            .tooManyHalves, .noRoom, .inUse:
            live.state.withLock { $0.phase = .open }
        case .file, .store:
            // What is there may be less than was thought: then the sender is told from where to go on.
            let size = try? sizeOnDisk(upload)
            live.state.withLock {
                $0.size = min($0.size, size ?? $0.size)
                $0.phase = .open
            }
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

    func isShelved(_ name: ShelfName) throws(InboxError) -> Bool {
        try store { () throws(StoreError) in try shelf.size(of: name) } != nil
    }

    /// SHA-256, 64 hexadecimal digits; 64 kB in memory at a time.
    ///
    /// By GnuTLS, which uses the processor's own instructions for it: five times as fast as libsodium, and every
    /// upload goes through here.
    func hash(of source: ByteSource) throws(InboxError) -> String {
        var hash: RunningHash
        do throws(IdentityError) { hash = try RunningHash(.sha256) } catch {
            throw .ownKeys(reason: error.description)
        }
        let bytes = try open(source)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var done = 0
        while true {
            let count = try bytes.read(into: buffer, at: done)
            if count == 0 { return Hex.encode(hash.finish()) }
            hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            done += count
        }
    }
}
