import Catalogue
import DurableFiles
import Sealing
import Wire

// A device cannot open what it sealed: of a recording that a power cut ended it ships the part, the tail journal and
// the manifest of the press, and here they become one file.
//
// Invariants
//  1. Part and tail stay on their shelves as they came: what is made of them can be made again.
//  2. The plain bytes stand in no file with a name.
//  3. A file that was made and whose commit did not come to its end is in `loose_files`, and goes at the next try or
//     start. It has a new name each time, because nothing is ever sealed twice in the same way.
//
// Order
//  1. Open the part's whole chunks and the tail's records into a nameless file.
//  2. Make it a valid file of sound.
//  3. Seal it to the host's own key into incoming/.
//  4. Commit its name as a loose file.
//  5. fsync it, rename it to its content's name, fsync that folder.
//  6. Commit: the upload that came last, the utterance's audio, the completed manifest; no longer loose (`complete`).

extension Inbox {
    /// Makes the recording and says what the commit has to say of it.
    ///
    /// Sound that cannot be decoded, or none at all, is no error: the files are here, and the manifest says that
    /// there is no frame. Throws `unusable` (sealed to another key), `ownKeys`, `salvage`, `file`, `store`.
    func assembled(part: Upload, tail: Upload) throws(InboxError) -> Completion {
        // What an earlier try left.
        try removeLooseFiles(of: part.utterance)
        let own = try keys.makeOwn().identity.recipient
        var manifest = try headManifest(of: part.utterance)
        let plain = try files { () throws(DurableFileError) in
            try NamelessFile(expecting: part.length + tail.length, near: folder.incoming)
        }
        try join(part, tail, into: plain)
        let sound: SalvagedSound
        do { sound = try salvage(plain.path, manifest.format) } catch {
            throw .salvage(
                reason: "The recording of utterance \(part.utterance) could not be put together. \(error)")
        }
        withExtendedLifetime(plain) {}
        let ext = part.ext
        let made = try seal(plain, of: part.utterance, ext: ext, to: own)
        try store { () throws(StoreError) in try catalogue.noteLoose(made.name, of: part.utterance) }
        try shelve(.incoming(folder.assembly(part.utterance)), as: made.name)
        manifest.sha256 = made.name.sha256
        manifest.bytes = made.bytes
        manifest.frames = sound.frames
        if sound.frames > 0 {
            manifest.rate = sound.rate
            manifest.channels = sound.channels
        }
        manifest.endReason = "recovered"
        manifest.recovered = true
        let kept = KeptManifest(manifest, manifest.encoded(), sentBy: part.device)
        return Completion(manifest: kept, audio: made, part: .assembled)
    }

    private func join(_ part: Upload, _ tail: Upload, into plain: borrowing NamelessFile) throws(InboxError) {
        do throws(SealedFailure) {
            try opening(.shelf(part.name)) { identities in
                let object = try store { () throws(StoreError) in try shelf.open(part.name) }
                _ = try assemble(
                    part: { offset, buffer in try object.read(into: buffer, at: offset) },
                    tail: try beginning(of: .shelf(tail.name), most: tail.length),
                    utterance: Hex.decode(part.utterance) ?? [],
                    identities: identities, into: { try plain.append($0) })
            }
        } catch {
            throw said(error, of: part.subject)
        }
    }

    private func seal(
        _ plain: borrowing NamelessFile, of utterance: String, ext: String, to recipient: AgeRecipient
    ) throws(InboxError) -> StoredFile {
        try files { () throws(DurableFileError) in
            var output = HashedOutput(try calls.open(folder.assembly(utterance), .createOrEmpty))
            var sealer = AgeSealer(
                to: [recipient],
                notes: [AgeStanza(type: AgeStanza.recipientNote, arguments: [recipient.description])])
            try output.write(sealer.header)
            let buffer = UnsafeMutableRawBufferPointer.allocate(
                byteCount: AgeSealer.chunkBytes, alignment: 16)
            defer { buffer.deallocate() }
            var done = 0
            while true {
                let count = try plain.read(into: buffer, at: done)
                if count == 0 { break }
                try sealer.seal(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
                    bytes throws(DurableFileError) in try output.write(bytes)
                }
                done += count
            }
            try output.write(sealer.finish())
            return StoredFile(name: ShelfName(sha256: output.sha256, ext: ext), bytes: output.size)
        }
    }

    private func headManifest(of utterance: String) throws(InboxError) -> Manifest {
        let bytes = try store { () throws(StoreError) in try catalogue.manifest(of: utterance) }
        do { return try Manifest(parsing: bytes ?? []) } catch { throw .unusable(reason: error.description) }
    }
}

/// A file that is written once, and what it is called for its content.
private struct HashedOutput: ~Copyable {
    private let file: OpenFile
    private var hash = SHA256()
    private(set) var size = 0

    init(_ file: consuming OpenFile) { self.file = file }

    var sha256: String { hash.finish().hex }

    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(DurableFileError) {
        try file.write(bytes)
        hash.update(bytes)
        size += bytes.count
    }

    mutating func write(_ bytes: [UInt8]) throws(DurableFileError) {
        try file.write(bytes)
        hash.update(bytes)
        size += bytes.count
    }
}
