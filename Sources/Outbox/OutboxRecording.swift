import DurableFiles
import Sealing
import Wire

// Invariants
// 1. What was appended before the last `sync` that returned survives a power cut; with a `sync` every second a
//    cut costs at most the last second and what the encoder holds.
// 2. Bytes go only into space that was reserved, with space for the manifest beside it: a full card refuses more
//    sound, but what is there can always be finished.
// 3. `bytes` counts whole appends; a torn one is cut off before `append` throws.
// 4. A sync that failed is final for its file: it is never tried again on the same file, because the kernel may
//    have dropped the bytes and would then answer that all is well. `finish` copies to a new file instead.
//
// Beginning, in this order: claim room; create the audio, the manifest (still empty) and the head manifest, each
// of which must be new; reserve; write the head manifest. None of it waits for the card: the first `sync` brings
// head, audio and the folder there.

/// A recording in progress. Used by one thread at a time.
package final class OutboxRecording {
    enum Stage: Equatable {
        case recording
        case finished(manifestBytes: Int)
        case left
    }

    /// So much audio space is reserved at a time: a minute and a half of 24 kb/s Opus, eight seconds of WAV.
    static let step = 256 << 10
    /// And so much for the manifest: its 100 ms readings take less than an eighth of the smallest audio.
    static let manifestStep = 64 << 10

    package let name: ItemName
    /// The audio's extension.
    package let format: String
    /// Of audio, as far as whole appends go.
    package private(set) var bytes = 0
    /// The first sync that failed. The recording goes on; the wearer is told that the card is failing.
    package internal(set) var failure: DurableFileError?

    /// Where the audio lies until `commit`.
    package var audioPath: String { outbox.layout.audio(.rec, name, format) }

    let outbox: Outbox
    var audio: OpenFile
    let manifest: OpenFile
    let head: OpenFile
    var stage = Stage.recording
    /// Of what was appended; nil once something was overwritten.
    var running: SHA256? = SHA256()
    private var reserved = OutboxRecording.step
    private var manifestReserved = OutboxRecording.manifestStep
    private var nameIsDurable = false

    init(outbox: Outbox, name: ItemName, format: String, head manifestSoFar: Manifest) throws(OutboxError) {
        let (layout, calls) = (outbox.layout, outbox.calls)
        try outbox.claimRoom(
            for: name, needed: outbox.limits.headroomPerRecording, reserving: Self.step + Self.manifestStep)
        do {
            let audio = try calls.open(layout.audio(.rec, name, format), .createNew)
            let manifest = try calls.open(layout.manifest(.rec, name), .createNew)
            let head = try calls.open(layout.head(name), .createNew)
            try manifest.reserve(from: 0, length: Self.manifestStep)
            try audio.reserve(from: 0, length: Self.step)
            try head.write(manifestSoFar.encoded())
            self.audio = audio
            self.manifest = manifest
            self.head = head
        } catch {
            // Nothing was recorded. What cannot be removed now, start-up removes.
            for path in [layout.audio(.rec, name, format), layout.manifest(.rec, name), layout.head(name)] {
                try? calls.unlink(path)
            }
            outbox.release(name)
            throw OutboxError(error)
        }
        self.outbox = outbox
        self.name = name
        self.format = format
    }

    /// Adds bytes at the end, without waiting for the card. Throws `refused` or `cardFull` when there is no more
    /// room: everything before these bytes is kept and can be finished.
    package func append(_ more: UnsafeRawBufferPointer) throws(OutboxError) {
        precondition(stage == .recording, "a finished recording takes no more sound")
        if more.isEmpty { return }
        while bytes + more.count > reserved { try grow() }
        do {
            try audio.write(more, at: bytes)
        } catch {
            // What was written of it is cut off; its reservation goes with it.
            try? audio.truncate(to: bytes)
            reserved = bytes
            throw OutboxError(error)
        }
        running?.update(more)
        bytes += more.count
    }

    /// Changes bytes that were appended before: a header whose lengths are known only at the end.
    package func overwrite(_ patch: UnsafeRawBufferPointer, at offset: Int) throws(OutboxError) {
        precondition(stage == .recording, "a finished recording is not changed")
        precondition(
            offset >= 0 && offset + patch.count <= bytes, "only what was appended can be overwritten")
        running = nil
        do { try audio.write(patch, at: offset) } catch { throw OutboxError(error) }
    }

    /// Brings everything appended to the card: called every second. May block for seconds on a slow card.
    /// Throws `cardFailing`, once; the recording may go on.
    package func sync() throws(OutboxError) {
        guard failure == nil else { return }
        do {
            if !nameIsDurable { try head.sync() }
            try audio.syncData()
            if !nameIsDurable { try outbox.calls.syncFolder(outbox.layout.folder(.rec)) }
            nameIsDurable = true
        } catch {
            failure = error
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
            try audio.reserve(from: reserved, length: Self.step)
            reserved += Self.step
        } catch {
            throw OutboxError(error)
        }
    }
}

extension Outbox {
    /// Begins a recording under a reserved name. Does not wait for the card, save when `dropOldest` must make room.
    /// - Parameters:
    ///   - format: the audio's extension: `opus`, `flac`, `wav`.
    ///   - head: what is known at the press; salvage finishes it should the device die.
    package func begin(
        name: ItemName, format: String, head: Manifest
    ) throws(OutboxError) -> OutboxRecording {
        try OutboxRecording(outbox: self, name: name, format: format, head: head)
    }

    /// Begins a recording under the next name.
    package func begin(
        format: String, head: (ItemName) -> Manifest
    ) throws(OutboxError) -> OutboxRecording {
        let name = try reserveName()
        return try begin(name: name, format: format, head: head(name))
    }

    /// The recording is no longer running; its reservation is given back.
    func release(_ name: ItemName) { state.withLock { _ = $0.recording.removeValue(forKey: name) } }
}
