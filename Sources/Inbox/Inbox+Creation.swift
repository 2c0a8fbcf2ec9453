import Catalogue
import DurableFiles
import Sealing
import Wire

extension Inbox {
    /// Announces an upload, or finds the one that was announced before.
    ///
    /// The same utterance and kind with the same length and hash is the same upload, whoever asks; with others it
    /// is `conflicting`. Its space is reserved, so that a full disk is told before a byte travels. Throws
    /// `unsigned`, `tooMuch`, `overQuota`, `tooManyHalves`, `noRoom`, `conflicting`, `file`, `store`. Blocks for no sync.
    ///
    /// Whoever has all its bytes at hand need not be `reserving`: writing them finds out as soon.
    package func create(
        _ new: NewUpload, reserving: Bool = true
    ) throws(InboxError) -> (upload: Upload, state: UploadState) {
        try checkSignature(new)
        let id = SHA256.digest(of: Array(UploadKey.text(utterance: new.utterance, kind: new.kind).utf8)).hex
        if let known = try find(id) { return try repeated(new, known) }
        let largest = new.kind == .audio ? settings.largestUpload : Self.largestManifest
        guard new.length <= largest else { throw .tooMuch(length: largest) }
        try checkBounds(device: new.device, length: new.length)
        let now = clock.now().milliseconds
        // Two requests may create it at once: the first one's row stands and both see it below.
        let announcement = AnnouncedUpload(
            id: id, utterance: new.utterance, kind: StoredKind(new.kind), seq: new.seq, device: new.device,
            length: new.length, sha256: new.sha256, ext: new.ext, signature: new.signature, at: now)
        let mine = try store { () throws(StoreError) in try catalogue.announce(announcement) }
        guard let made = try find(id) else { throw .unknownUpload }
        if mine, !made.complete, reserving { try reserve(made) }
        return try repeated(new, made)
    }

    /// Whether a device may ask for an upload, go on with it, and end it: it created it, or announced it with the same
    /// length and hash. For everybody else there is no such upload: not even that it exists is told.
    package func isHeld(_ upload: Upload, by pin: String) throws(InboxError) -> Bool {
        if upload.device == pin { return true }
        return try store { () throws(StoreError) in try catalogue.holds(upload: upload.id, pin: pin) }
    }

    /// Where an upload stands; whoever still writes to it is put out. Nil when there is none.
    package func state(of id: String) throws(InboxError) -> (upload: Upload, state: UploadState)? {
        guard let upload = try find(id) else { return nil }
        if upload.complete { return (upload, .complete) }
        let live = try liveUpload(upload)
        if let taken = live.takeOver() { return (upload, .partial(offset: taken.size)) }
        // Finished between the two looks, or being finished.
        guard let again = try find(id) else { return nil }
        return (again, again.complete ? .complete : .finishing)
    }

    /// A writer from `offset` on; older ones are put out. Throws `unknownUpload`, `beingFinished`,
    /// `alreadyComplete`, `wrongOffset`, `file`, `store`.
    package func writer(_ id: String, from offset: Int) throws(InboxError) -> UploadWriter {
        guard let upload = try find(id) else { throw .unknownUpload }
        guard !upload.complete else { throw .alreadyComplete }
        let live = try liveUpload(upload)
        guard let taken = live.takeOver() else { throw .beingFinished }
        guard taken.size == offset else { throw .wrongOffset(stands: taken.size, asked: offset) }
        let file = try openPartial(id)
        return UploadWriter(upload: upload, live: live, generation: taken.generation, file: file)
    }

    /// Forgets an upload that is not complete. Throws `unknownUpload`, `alreadyComplete`, `beingFinished`.
    package func remove(_ id: String) throws(InboxError) {
        guard let upload = try find(id) else { throw .unknownUpload }
        guard !upload.complete else { throw .alreadyComplete }
        let live = try liveUpload(upload)
        guard close(live) else { throw .beingFinished }
        try forget(upload)
    }

    /// The row first: a file without a row is cleared at start, a row without a file would wait for bytes.
    func forget(_ upload: Upload) throws(InboxError) {
        try store { () throws(StoreError) in try catalogue.drop(upload: upload.id) }
        // What was ended must not answer for an upload that is created anew, whatever becomes of the file.
        live.withLock { _ = $0.removeValue(forKey: upload.id) }
        try files { () throws(DurableFileError) in try calls.unlink(folder.partial(upload.id)) }
    }

    /// Ends an upload for everybody who holds it; false while it is being finished.
    func close(_ live: LiveUpload) -> Bool {
        live.state.withLock { state in
            guard state.phase == .open else { return false }
            state.phase = .over
            return true
        }
    }

    /// The upload as the catalogue has it. One that is complete is so on the disk: its receipt may be given.
    package func find(_ id: String) throws(InboxError) -> Upload? {
        try store { () throws(StoreError) in
            let found = try catalogue.upload(id)
            if found?.complete == true { try catalogue.settle() }
            return found
        }
    }

    func liveUpload(_ upload: Upload) throws(InboxError) -> LiveUpload {
        if let known = live.withLock({ $0[upload.id] }) { return known }
        let found = LiveUpload(size: try sizeOnDisk(upload))
        // Another thread may have been faster, and its object may have grown since: that one counts.
        return live.withLock { live in
            if let known = live[upload.id] { return known }
            live[upload.id] = found
            return found
        }
    }

    private func repeated(
        _ new: NewUpload, _ known: Upload
    ) throws(InboxError) -> (upload: Upload, state: UploadState) {
        guard known.length == new.length, known.sha256 == new.sha256 else {
            throw .conflicting(utterance: new.utterance, kind: new.kind.rawValue)
        }
        if try !isHeld(known, by: new.device) {
            try store { () throws(StoreError) in try catalogue.hold(upload: known.id, by: new.device) }
        }
        guard let state = try state(of: known.id) else { throw .unknownUpload }
        return state
    }

    /// A crash after the rename leaves no file in incoming/ and the whole one under its content's name.
    func sizeOnDisk(_ upload: Upload) throws(InboxError) -> Int {
        if let size = try size(folder.partial(upload.id)) { return min(size, upload.length) }
        let size = try store { () throws(StoreError) in try shelf.size(of: upload.name) }
        return size == upload.length ? upload.length : 0
    }

    /// Bytes of a local file; nil when it is not there.
    func size(_ path: String) throws(InboxError) -> Int? {
        try files { () throws(DurableFileError) in
            do throws(DurableFileError) { return try calls.size(path) } catch {
                guard error.isMissing else { throw error }
                return nil
            }
        }
    }

    private func openPartial(_ id: String) throws(InboxError) -> OpenFile {
        try files { () throws(DurableFileError) in
            try calls.open(folder.partial(id), .update(creating: true))
        }
    }

    func reserve(_ upload: Upload) throws(InboxError) {
        let file = try openPartial(upload.id)
        do {
            try files { () throws(DurableFileError) in
                if upload.length > 0 { try file.reserve(from: 0, length: upload.length) }
            }
        } catch {
            // What found no room must not fill the disk with a part of its reservation either.
            try forget(upload)
            throw error
        }
    }
}
