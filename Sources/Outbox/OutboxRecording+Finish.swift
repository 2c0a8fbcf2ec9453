import DurableFiles
import Sealing
import Wire

// Finishing, in this order:
// 1. Write the last chunk of a sealed one. Cut the audio to its bytes (the reservation goes back), fsync it.
// 2. Write the manifest, which holds the audio's hash, cut it to its bytes, fsync it. A sealed one now gets its name.
//    (Start-up takes a whole manifest whose hash fits for what it is: the recording is complete.)
// 3. `commit`: see Commit.swift.
//
// Giving up, when finishing failed: what the next start would do (StartUp.swift) is done at once, so that what is on
// the card can be sent.
//
// Discarding, in this order: unlink audio, manifest, head; keep the tail journal of a sealed one as the next one's;
// fsync `rec/`. Only then the cue: a cancelled recording must not come back by salvage.

extension OutboxRecording {
    /// Brings the audio and its manifest to the card; both stay in `rec/` until `commit` or `discard`.
    ///
    /// A card that does not take the audio costs a copy to a new file; then `failure` says so, and nothing is
    /// lost. When the copy fails too, this throws `cardFailing` and the files stay as they are: it may be tried again.
    /// - Parameter manifest: given the bytes and the SHA-256 (64 hexadecimal digits) of the audio file, which is the
    ///   sealed one of a sealed recording.
    package func finish(manifest make: (_ bytes: Int, _ sha256: String) -> Manifest) throws(OutboxError) {
        precondition(stage == .recording, "a recording is finished once")
        do {
            let (audioBytes, sha256) = try sound.close()
            var text = make(audioBytes, sha256.hex).encoded()
            if form.sealed {
                text = SealedNote.manifest(text, to: recipients, sha256: sha256, bytes: audioBytes)
            }
            // From the start: a finish that failed may be tried again.
            try manifest.write(text, at: 0)
            try manifest.truncate(to: text.count)
            try manifest.sync()
            if form.sealed {
                let path = outbox.layout.manifest(.rec, name, sealed: true)
                try outbox.calls.rename(manifest.path, path)
            }
            stage = .finished(audioBytes: audioBytes, manifestBytes: text.count)
        } catch {
            throw OutboxError(error)
        }
    }

    /// The recording is the outbox's now, and the wearer may be told. Throws when the card did not take the new
    /// names. Then the item may or may not survive a power cut; it waits all the same, unless it was not moved at all:
    /// `isCommitted` tells, and `abandon` tries again.
    package func commit() throws(OutboxError) -> OutboxItem {
        guard case .finished(let audioBytes, let manifestBytes) = stage else {
            preconditionFailure("a recording is finished before it is committed")
        }
        let layout = outbox.layout
        let item = layout.item(
            .out, name, form, audioBytes: audioBytes, manifestBytes: manifestBytes, tailBytes: nil)
        do {
            try commitFiles(name, form, from: .rec, layout: layout, calls: outbox.calls) {
                stage = .left
                outbox.state.withLock { state in
                    state.recording[name] = nil
                    state.spareTail = max(state.spareTail, sound.journalSize)
                    state.waiting.insert(item)
                }
            }
        } catch {
            throw OutboxError(error)
        }
        outbox.topUpNames()
        return item
    }

    /// Whether it waits: `commit` came as far as that.
    package var isCommitted: Bool { stage == .left }

    /// For a recording that could not be finished or committed, or is not to be: what is on the card, and what it takes
    /// now, waits from now on as what a crash left would after the next start. Blocks while that is salvaged.
    /// - Returns: whether it waits (`recovered`), held no sound (`removed`), or is `parked`; or why it must stay for the
    ///   next start (`problems`).
    package func abandon() -> StartupReport {
        precondition(stage != .left, "a recording is committed, discarded or given up once")
        defer { stage = .left }
        if stage == .recording { try? sync() }
        return outbox.mend(name)
    }

    /// The recording is gone for good when this returns.
    package func discard() throws(OutboxError) {
        precondition(stage != .left, "a recording is committed or discarded once")
        let manifestPath: String
        switch stage {
        case .recording: manifestPath = manifest.path
        case .finished, .left: manifestPath = outbox.layout.manifest(.rec, name, sealed: form.sealed)
        }
        stage = .left
        let (layout, calls) = (outbox.layout, outbox.calls)
        do {
            try calls.unlink(audioPath)
            // What a copy that failed left.
            if failure != nil { try calls.unlink(audioPath + ".copy") }
            try calls.unlink(manifestPath)
            try calls.unlink(layout.head(name, sealed: form.sealed))
            if form.sealed { try calls.retireTail(of: name, layout) }
            try calls.syncFolder(layout.folder(.rec))
        } catch {
            throw OutboxError(error)
        }
        outbox.release(name)
        outbox.state.withLock { $0.spareTail = max($0.spareTail, sound.journalSize) }
        outbox.topUpNames()
    }
}
