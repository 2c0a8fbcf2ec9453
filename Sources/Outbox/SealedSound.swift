import DurableFiles
import Sealing
import Wire

// Invariants
// 1. The file holds whole chunks only, in their order; a chunk is sealed once, and what is written again is the same
//    sealed bytes.
// 2. What `sync` returned for is on the card: in whole chunks of the file, or in the tail journal.
// 3. A chunk is on the card before its records in the journal are overwritten.
// 4. A chunk that the card did not take stays in memory until it is written, at the same place, or goes into a copy.
// 5. A sync of the file that failed is final for it: nothing of the journal is overwritten any more, and `close` copies
//    to a new file. A journal that failed is replaced by a new one at the next sync, when the chunks are on the card.
//
// A sync, in this order: write the chunks that wait; when the journal is to begin again, because another chunk's records
// may not fit behind those that are there, fdatasync the file, and only then begin it again; write the bytes that the
// journal lacks as one record, fdatasync it. In most seconds only the journal is written: one sync of blocks that were
// there before. Each sync of the file costs the file system's own journal besides, so it waits for several chunks.

/// The encoder's bytes, sealed chunk by chunk, with a tail journal beside the file while it grows.
final class SealedSound: SoundFile {
    /// Finds room in the outbox for so many more bytes, or throws.
    typealias Claim = (Int) throws(DurableFileError) -> Void

    private let recipients: [AgeRecipient]
    private let utterance: [UInt8]
    private let tailPath: String
    private let calls: FileCalls
    private let claim: Claim

    private var sealer: AgeSealer
    private var isSealed = false
    private var part: PartFile
    /// Sealed chunks that the file did not take yet.
    private var waiting: [[UInt8]] = []
    /// Of the sealed bytes, those in `waiting` too.
    private var running = SHA256()
    private(set) var failure: DurableFileError?
    private var isDamaged = false
    private var syncedBytes = 0

    private var tail: TailFile
    private var tailIsDamaged = false
    /// The last of the bytes that were taken: those that the journal lacks, or of them the chunk that is being filled.
    private var unjournalled: [UInt8] = []
    /// So many of the bytes that were taken are in the journal, or in chunks that are on the card.
    private var journalled = 0

    /// Creates the file and takes a journal.
    init(
        _ name: ItemName, _ form: Form, to recipients: [AgeRecipient], _ layout: Layout, calls: FileCalls,
        claim: @escaping Claim
    ) throws(DurableFileError) {
        guard let utterance = hexBytes(name.id) else { preconditionFailure("an item's id is hexadecimal") }
        self.recipients = recipients
        self.utterance = utterance
        self.calls = calls
        self.claim = claim
        tailPath = layout.tail(.rec, name)
        sealer = AgeSealer(to: recipients, notes: SealedNote.notes(to: recipients))
        part = try PartFile(creating: layout.audio(.rec, name, form), calls: calls)
        tail = try TailFile(for: name, layout, calls: calls)
    }

    /// Writes what stands before the first chunk.
    func begin() throws(DurableFileError) {
        running.update(sealer.header)
        try part.append(sealer.header)
    }

    private(set) var bytes = 0
    var reserved: Int { part.reserved }
    /// Of the journal.
    var journalSize: Int { tail.size }
    func reserve(_ length: Int) throws(DurableFileError) { try part.reserve(length) }

    func size(withAnother more: Int) -> Int {
        AgeSealer.sealedSize(of: bytes + more, header: sealer.header.count)
    }

    func append(_ more: UnsafeRawBufferPointer) throws(DurableFileError) {
        // Before anything is taken: so no more than one append's chunks ever wait in memory.
        try writeChunks()
        var chunks: [[UInt8]] = []
        sealer.seal(more) { chunks.append(Array($0)) }
        for chunk in chunks { running.update(chunk) }
        waiting += chunks
        bytes += more.count
        unjournalled += more
        // More than a record holds: the chunks go to the card themselves.
        if unjournalled.count > AgeSealer.chunkBytes {
            unjournalled.removeFirst(unjournalled.count - sealer.buffered)
        }
        // The bytes are taken. Should it not work now, the next append or sync tries again, and says so.
        try? writeChunks()
    }

    func overwrite(_ patch: UnsafeRawBufferPointer, at offset: Int) throws(DurableFileError) {
        preconditionFailure("what is sealed cannot be changed: the encoder is told so by its sink")
    }

    func sync() throws(DurableFileError) {
        if isDamaged, let failure { throw failure }
        do { try writeChunks() } catch {
            if !error.isCardFull { failure = failure ?? error }
            throw error
        }
        let isGapped = journalled < bytes - unjournalled.count
        let startsOver = isGapped || tailIsDamaged || !tail.hasRoom(for: sealer.chunk)
        if syncedBytes == 0 || startsOver, part.bytes > syncedBytes {
            do { try part.file.syncData() } catch {
                fail(error)
                throw error
            }
            syncedBytes = part.bytes
        }
        if startsOver {
            unjournalled = sealer.withBuffered { Array($0) }
            tail.restart()
        }
        if !unjournalled.isEmpty { try syncTail() }
    }

    private func syncTail() throws(DurableFileError) {
        let (record, count) = record()
        do {
            if tailIsDamaged {
                tail = try TailFile(replacing: tailPath, with: record, chunk: sealer.chunk, calls: calls)
                tailIsDamaged = false
            } else {
                try tail.write(record, count: count, chunk: sealer.chunk, claim: claim)
                try tail.sync()
            }
        } catch {
            if error.operation != .write && error.operation != .reserve || !error.isCardFull {
                failure = failure ?? error
                tailIsDamaged = true
            }
            throw error
        }
        journalled = bytes
        unjournalled.removeAll(keepingCapacity: true)
    }

    /// Of the bytes that the journal lacks; `count`: what of it is not padding.
    private func record() -> (record: [UInt8], count: Int) {
        let position = bytes - unjournalled.count
        let record = unjournalled.withUnsafeBytes {
            TailJournal.record(utterance: utterance, position: position, $0, to: recipients)
        }
        return (record, TailJournal.bytes(ofRecord: unjournalled.count, recipients: recipients.count))
    }

    private func writeChunks() throws(DurableFileError) {
        while let chunk = waiting.first {
            try part.append(chunk)
            waiting.removeFirst()
        }
    }

    func close() throws(DurableFileError) -> (bytes: Int, sha256: Digest) {
        if !isSealed {
            let last = sealer.finish()
            running.update(last)
            waiting.append(last)
            isSealed = true
        }
        if !isDamaged {
            do throws(DurableFileError) {
                try writeChunks()
                try part.cut()
                try part.file.sync()
            } catch {
                if error.isCardFull && error.operation != .sync { throw error }
                fail(error)
            }
        }
        if isDamaged, let failure {
            try part.moveToNewFile(adding: waiting, expected: running.finish(), reason: failure)
            waiting = []
            isDamaged = false
        }
        return (part.bytes, running.finish())
    }

    private func fail(_ error: DurableFileError) {
        failure = failure ?? error
        isDamaged = true
    }
}
