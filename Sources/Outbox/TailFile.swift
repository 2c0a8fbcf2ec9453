import DurableFiles
import Sealing
import Wire

// Invariants
// 1. A record is written over an older one only after `restart`, which its owner calls when the chunks of the older ones
//    are on the card.
// 2. What is in a journal that was taken over is nobody's: its records name another recording.

/// A running recording's tail journal on the card. Blocks that were written once are written again in place, which
/// costs a sync no more than those blocks.
struct TailFile: ~Copyable {
    /// Enough for three chunks of 24 kb/s Opus, 22 s each, at one slot a second.
    static let firstSize = 72 * TailJournal.slot
    /// By so much at least it grows.
    private static let step = 16 * TailJournal.slot

    private let file: OpenFile
    /// On the card, or reserved there.
    private(set) var size: Int
    /// Where the next record begins.
    private var end = 0
    /// The chunk that was being filled at the last record, and where the first record of that time begins.
    private var chunk: UInt64 = 0
    private var chunkStart = 0

    /// Takes over the journal of the last recording, or makes a new one.
    init(for name: ItemName, _ layout: Layout, calls: FileCalls) throws(DurableFileError) {
        let opened = try Self.open(layout.tail(.rec, name), spare: layout.spareTail, calls)
        let there = try opened.size()
        if there < Self.firstSize { try opened.reserve(from: there, length: Self.firstSize - there) }
        size = max(Self.firstSize, there)
        file = opened
    }

    private static func open(
        _ path: String, spare: String, _ calls: FileCalls
    ) throws(DurableFileError) -> OpenFile {
        do {
            try calls.rename(spare, path)
            return try calls.open(path, .update(creating: false))
        } catch  where error.isMissing {
            // The first recording, or two at a time.
        } catch {
            // It is no loss: a new one costs only its zeros.
            try? calls.unlink(spare)
            try calls.unlink(path)
        }
        return try create(path, calls)
    }

    /// A journal that nothing was written to.
    private static func create(_ path: String, _ calls: FileCalls) throws(DurableFileError) -> OpenFile {
        let new = try calls.open(path, .createNew)
        try new.write([UInt8](repeating: 0, count: firstSize), at: 0)
        return new
    }

    /// Makes a spare journal when there is none; its bytes.
    static func prepareSpare(_ layout: Layout, calls: FileCalls) throws(DurableFileError) -> Int {
        do {
            _ = try create(layout.spareTail, calls)
            return firstSize
        } catch  where error.code == DurableFileError.exists {
            return try calls.size(layout.spareTail)
        }
    }

    /// A new journal, durable at once, in the place of one that failed. Blocks for two syncs.
    init(
        replacing path: String, with record: [UInt8], chunk: UInt64, calls: FileCalls
    ) throws(DurableFileError) {
        try replace(path, record, calls: calls)
        let opened = try calls.open(path, .update(creating: false))
        file = opened
        size = record.count
        end = record.count
        self.chunk = chunk
    }

    /// Whether the records of the chunk that is being filled can follow those that are there: always, once they have
    /// begun; those of a new chunk while there is room for as many as the last one took.
    func hasRoom(for chunk: UInt64) -> Bool {
        chunk == self.chunk || end + (end - chunkStart) <= size
    }

    /// The records in it are of chunks that are on the card, or are written again: the next one overwrites the first.
    mutating func restart() {
        end = 0
        chunkStart = 0
    }

    /// Writes a record after the last one.
    /// - Parameters:
    ///   - count: bytes of the record that are not padding.
    ///   - chunk: the one that is being filled.
    ///   - claim: finds room for so many more bytes in the outbox, or throws.
    mutating func write(
        _ record: [UInt8], count: Int, chunk: UInt64, claim: (Int) throws(DurableFileError) -> Void
    ) throws(DurableFileError) {
        let missing = end + record.count - size
        if missing > 0 {
            let more = max(missing, Self.step)
            try claim(more)
            try file.reserve(from: size, length: more)
            size += more
        }
        // Padding need not be written: the frame says how long the record is.
        try file.write(Array(record[..<count]), at: end)
        if chunk != self.chunk {
            self.chunk = chunk
            chunkStart = end
        }
        end += record.count
    }

    func sync() throws(DurableFileError) { try file.syncData() }
}
