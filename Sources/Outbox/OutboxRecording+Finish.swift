import DurableFiles
import Sealing
import Wire

// Finishing, in this order:
// 1. Cut the audio to its bytes (the reservation goes back), fsync it.
// 2. Hash it. Write the manifest, which holds the hash, cut it to its bytes, fsync it.
//    (Start-up takes a whole manifest whose hash fits for what it is: the recording is complete.)
// 3. `commit`: see Commit.swift.
//
// Discarding, in this order: unlink audio, manifest, head; fsync `rec/`. Only then the cue: a cancelled recording
// must not come back by salvage.

extension OutboxRecording {
    /// Brings the audio and its manifest to the card; both stay in `rec/` until `commit` or `discard`.
    ///
    /// A card that does not take the audio costs a copy to a new file; then `failure` says so, and nothing is
    /// lost. When the copy fails too, this throws `cardFailing` and the files stay as they are.
    /// - Parameter manifest: given the audio's bytes and SHA-256 (64 hexadecimal digits).
    package func finish(manifest make: (_ bytes: Int, _ sha256: String) -> Manifest) throws(OutboxError) {
        precondition(stage == .recording, "a recording is finished once")
        do {
            try audio.truncate(to: bytes)
            if failure == nil {
                do { try audio.sync() } catch { failure = error }
            }
            if failure != nil { try copyToNewFile() }
            let sha256: Digest
            if let running { sha256 = running.finish() } else { sha256 = try digest(of: audio).digest }
            let text = make(bytes, sha256.hex).encoded()
            // From the start: a finish that failed may be tried again.
            try manifest.write(text, at: 0)
            try manifest.truncate(to: text.count)
            try manifest.sync()
            stage = .finished(manifestBytes: text.count)
        } catch {
            throw OutboxError(error)
        }
    }

    /// The recording is the outbox's now, and the wearer may be told. Throws when the card did not take the new
    /// names; then the item may or may not survive a power cut, and it waits all the same.
    package func commit() throws(OutboxError) -> OutboxItem {
        guard case .finished(let manifestBytes) = stage else {
            preconditionFailure("a recording is finished before it is committed")
        }
        stage = .left
        let layout = outbox.layout
        let item = OutboxItem(
            name: name, format: format, audioPath: layout.audio(.out, name, format),
            manifestPath: layout.manifest(.out, name), audioBytes: bytes, manifestBytes: manifestBytes)
        do {
            try commitFiles(name, format, from: .rec, layout: layout, calls: outbox.calls) {
                outbox.state.withLock { state in
                    state.recording[name] = nil
                    state.waiting.insertInOrder(item)
                }
            }
        } catch {
            throw OutboxError(error)
        }
        outbox.topUpNames()
        return item
    }

    /// The recording is gone for good when this returns.
    package func discard() throws(OutboxError) {
        precondition(stage != .left, "a recording is committed or discarded once")
        stage = .left
        let (layout, calls) = (outbox.layout, outbox.calls)
        do {
            try calls.unlink(layout.audio(.rec, name, format))
            try calls.unlink(layout.manifest(.rec, name))
            try calls.unlink(layout.head(name))
            try calls.syncFolder(layout.folder(.rec))
        } catch {
            throw OutboxError(error)
        }
        outbox.release(name)
        outbox.topUpNames()
    }

    /// Copies what can be read to a new file, which takes the old one's place once it is on the card.
    /// Checked against the running hash where there is one; a copy that differs has lost something, and is refused.
    private func copyToNewFile() throws(DurableFileError) {
        let calls = outbox.calls
        let path = outbox.layout.audio(.rec, name, format)
        let copyPath = path + ".copy"
        let copy = try calls.open(copyPath, .createNew)
        var hash = SHA256()
        try readPieces(of: audio) { (piece, offset) throws(DurableFileError) in
            hash.update(piece)
            try copy.write(piece, at: offset)
        }
        if let running, running.finish() != hash.finish() {
            throw failure ?? DurableFileError(.sync, path, 0)
        }
        try copy.sync()
        try calls.rename(copyPath, path)
        audio = copy
    }
}
