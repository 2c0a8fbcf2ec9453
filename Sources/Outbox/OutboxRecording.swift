import DurableFiles
import Glibc
import Sealing
import Wire

// Invariants
// 1. What was appended before the last `sync` that returned survives a power cut; with a `sync` every second a
//    cut costs at most the last second and what the encoder holds.
// 2. Bytes go only into space that was reserved, with space for the manifest beside it: a full card refuses more
//    sound, but what is there can always be finished.
// 3. `bytes` counts whole appends: one that throws has added nothing.
// 4. A sync that failed is final for its file: it is never tried again on the same file, because the kernel may
//    have dropped the bytes and would then answer that all is well. `finish` copies to a new file instead.
//
// Beginning, in this order: claim room; create the audio, of a sealed one the tail journal, the manifest (still
// empty) and the head manifest, each of which must be new; reserve; write the head manifest. None of it waits for the
// card: the first `sync` brings head, audio and the folder there.

/// A recording in progress. Used by one thread at a time.
package final class OutboxRecording {
    enum Stage: Equatable {
        case recording
        case finished(audioBytes: Int, manifestBytes: Int)
        case left
    }

    /// So much audio space is reserved at a time: a minute and a half of 24 kb/s Opus, eight seconds of WAV.
    static let step = 256 << 10
    /// And so much for the manifest: its 100 ms readings take less than an eighth of the smallest audio.
    static let manifestStep = 64 << 10

    package let name: ItemName
    /// The audio's extension, without the `.age` of a sealed file.
    package var format: String { form.format }
    /// Whether everything of it is sealed. Then its sound cannot be overwritten.
    package var sealed: Bool { form.sealed }
    /// Of sound, as it was appended; a sealed file is larger.
    package var bytes: Int { sound.bytes }
    /// The first thing that the card failed to do. The recording goes on; the wearer is told that the card is failing.
    package var failure: DurableFileError? { namesFailure ?? sound.failure }

    /// Where the audio lies until `commit`.
    package var audioPath: String { outbox.layout.audio(.rec, name, form) }

    let form: Form
    /// Empty for one in the clear.
    let recipients: [AgeRecipient]
    let outbox: Outbox
    let sound: any SoundFile
    let manifest: OpenFile
    var stage = Stage.recording
    private let head: OpenFile
    private var manifestReserved = OutboxRecording.manifestStep
    private var headWasSynced = false
    private var nameIsDurable = false
    /// Of the head manifest or the folder: both may be lost without a sound being lost.
    private var namesFailure: DurableFileError?

    init(
        outbox: Outbox, name: ItemName, format: String, head manifestSoFar: Manifest,
        recipients: [AgeRecipient]
    ) throws(OutboxError) {
        let (layout, calls) = (outbox.layout, outbox.calls)
        let form = Form(format: format, sealed: !recipients.isEmpty)
        let tail = form.sealed ? outbox.nextJournalSize : 0
        try outbox.claimRoom(
            for: name, needed: outbox.limits.headroomPerRecording,
            reserving: Self.step + Self.manifestStep + tail)
        // From now on it counts as this recording's.
        if form.sealed { outbox.state.withLock { $0.spareTail = 0 } }
        let paths = [
            layout.audio(.rec, name, form), layout.manifestInTheMaking(name, sealed: form.sealed),
            layout.head(name, sealed: form.sealed),
        ]
        do {
            let text = manifestSoFar.encoded()
            let sound: any SoundFile
            if form.sealed {
                let sealedSound = try SealedSound(name, form, to: recipients, layout, calls: calls) {
                    (more) throws(DurableFileError) in
                    do { try outbox.claimRoom(for: name, needed: more, reserving: more) } catch {
                        throw DurableFileError(.reserve, layout.tail(.rec, name), ENOSPC)
                    }
                }
                sound = sealedSound
            } else {
                sound = try ClearSound(creating: paths[0], calls: calls)
            }
            let manifest = try calls.open(paths[1], .createNew)
            let head = try calls.open(paths[2], .createNew)
            try manifest.reserve(from: 0, length: Self.manifestStep)
            try sound.reserve(Self.step)
            try sound.begin()
            try head.write(form.sealed ? SealedNote.head(text, to: recipients) : text)
            self.sound = sound
            self.manifest = manifest
            self.head = head
        } catch {
            // Nothing was recorded. What cannot be removed now, start-up removes.
            for path in paths + (form.sealed ? [layout.tail(.rec, name)] : []) { try? calls.unlink(path) }
            outbox.release(name)
            throw OutboxError(error)
        }
        self.outbox = outbox
        self.name = name
        self.form = form
        self.recipients = recipients
    }

    /// Adds bytes at the end, without waiting for the card. What throws adds nothing; everything before is kept and can
    /// be finished: `refused` and `cardFull` when there is no more room, `file` when the card did not take what was
    /// appended before (of a sealed one it is in memory still).
    package func append(_ more: UnsafeRawBufferPointer) throws(OutboxError) {
        precondition(stage == .recording, "a finished recording takes no more sound")
        if more.isEmpty { return }
        while sound.size(withAnother: more.count) > sound.reserved { try grow() }
        do { try sound.append(more) } catch { throw OutboxError(error) }
    }

    /// Changes bytes that were appended before: a header whose lengths are known only at the end. Not for a sealed
    /// recording.
    package func overwrite(_ patch: UnsafeRawBufferPointer, at offset: Int) throws(OutboxError) {
        precondition(stage == .recording, "a finished recording is not changed")
        precondition(
            offset >= 0 && offset + patch.count <= bytes, "only what was appended can be overwritten")
        do { try sound.overwrite(patch, at: offset) } catch { throw OutboxError(error) }
    }

    /// Brings everything appended to the card: called every second. May block for seconds on a slow card.
    /// Returns only when it is there. Throws `cardFailing` or `file`, from then on every time until the card does
    /// what was asked, or `cardFull`; the recording may go on.
    package func sync() throws(OutboxError) {
        precondition(stage == .recording, "a finished recording is on the card")
        do throws(DurableFileError) {
            if !headWasSynced {
                headWasSynced = true
                do { try head.sync() } catch { namesFailure = namesFailure ?? error }
            }
            try sound.sync()
            if nameIsDurable { return }
            do { try outbox.calls.syncFolder(outbox.layout.folder(.rec)) } catch {
                namesFailure = namesFailure ?? error
                throw error
            }
            nameIsDurable = true
        } catch {
            throw OutboxError(error)
        }
    }

    private func grow() throws(OutboxError) {
        // The manifest grows by an eighth of the audio, and first: it must always fit.
        let manifestStep = Self.step / 8
        try outbox.claimRoom(
            for: name, needed: Self.step + manifestStep, reserving: Self.step + manifestStep)
        do {
            try manifest.reserve(from: manifestReserved, length: manifestStep)
            manifestReserved += manifestStep
            try sound.reserve(Self.step)
        } catch {
            throw OutboxError(error)
        }
    }
}

extension Outbox {
    /// Begins a recording under a reserved name. Does not wait for the card, save when `dropOldest` must make room.
    /// - Parameters:
    ///   - format: the audio's extension: `opus`, `flac`, `wav`.
    ///   - head: what is known at the press; it completes what is left should the device die.
    ///   - recipients: the keys that everything is sealed to, each of which opens it; none: it is in the clear.
    package func begin(
        name: ItemName, format: String, head: Manifest, recipients: [AgeRecipient] = []
    ) throws(OutboxError) -> OutboxRecording {
        try OutboxRecording(outbox: self, name: name, format: format, head: head, recipients: recipients)
    }

    /// Begins a recording under the next name.
    package func begin(
        format: String, recipients: [AgeRecipient] = [], head: (ItemName) -> Manifest
    ) throws(OutboxError) -> OutboxRecording {
        let name = try reserveName()
        return try begin(name: name, format: format, head: head(name), recipients: recipients)
    }

    /// Writes the zeros of the first recording's tail journal now, and not at its press. For a device that seals, once,
    /// at its start; without it, or should it fail, the press does it.
    package func prepareForSealing() {
        guard let size = try? TailFile.prepareSpare(layout, calls: calls) else { return }
        state.withLock { $0.spareTail = size }
    }

    /// The recording is no longer running; its reservation is given back.
    func release(_ name: ItemName) { state.withLock { _ = $0.recording.removeValue(forKey: name) } }

    /// The bytes of the tail journal that the next recording takes: the spare one, or a new one.
    fileprivate var nextJournalSize: Int { state.withLock { max(TailFile.firstSize, $0.spareTail) } }
}
