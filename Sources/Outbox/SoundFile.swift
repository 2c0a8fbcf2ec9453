import DurableFiles
import Sealing

/// How a recording's sound reaches its file: in the clear, or sealed. Used by one thread at a time.
protocol SoundFile: AnyObject {
    /// Of what was appended, as the encoder gave it.
    var bytes: Int { get }
    /// The first failure of the card: a sync that failed, or a write that did for another reason than room.
    var failure: DurableFileError? { get }
    /// Bytes that the file has room for.
    var reserved: Int { get }
    func reserve(_ length: Int) throws(DurableFileError)
    /// Bytes of the tail journal; 0 without one.
    var journalSize: Int { get }
    /// Writes what stands before the sound. Called once, first.
    func begin() throws(DurableFileError)
    /// Bytes that the file takes when it is closed after so many more of sound.
    func size(withAnother more: Int) -> Int
    /// Takes all of the bytes, or throws and has taken none.
    func append(_ more: UnsafeRawBufferPointer) throws(DurableFileError)
    /// Changes what was appended. A mistake for a sealed file.
    func overwrite(_ patch: UnsafeRawBufferPointer, at offset: Int) throws(DurableFileError)
    /// Returns when everything appended survives a power cut.
    func sync() throws(DurableFileError)
    /// Brings all of it to the card, in a new file if need be. May be tried again when it failed.
    /// - Returns: the file's bytes and their hash.
    func close() throws(DurableFileError) -> (bytes: Int, sha256: Digest)
}

/// The encoder's bytes as they are.
final class ClearSound: SoundFile {
    private var part: PartFile
    /// Of what was appended; nil once something was overwritten.
    private var running: SHA256? = SHA256()
    private(set) var failure: DurableFileError?
    /// The file is not trusted any more.
    private var isDamaged = false

    init(creating path: String, calls: FileCalls) throws(DurableFileError) {
        part = try PartFile(creating: path, calls: calls)
    }

    var bytes: Int { part.bytes }
    var reserved: Int { part.reserved }
    func reserve(_ length: Int) throws(DurableFileError) { try part.reserve(length) }
    var journalSize: Int { 0 }
    func begin() throws(DurableFileError) {}
    func size(withAnother more: Int) -> Int { part.bytes + more }

    func append(_ more: UnsafeRawBufferPointer) throws(DurableFileError) {
        do {
            try part.append(more)
        } catch {
            // What was written of it is cut off; its reservation goes with it.
            try? part.cut()
            throw error
        }
        running?.update(more)
    }

    func overwrite(_ patch: UnsafeRawBufferPointer, at offset: Int) throws(DurableFileError) {
        running = nil
        try part.file.write(patch, at: offset)
    }

    func sync() throws(DurableFileError) {
        if isDamaged, let failure { throw failure }
        do { try part.file.syncData() } catch {
            fail(error)
            throw error
        }
    }

    func close() throws(DurableFileError) -> (bytes: Int, sha256: Digest) {
        try part.cut()
        if !isDamaged {
            do { try part.file.sync() } catch { fail(error) }
        }
        if isDamaged, let failure {
            try part.moveToNewFile(expected: running?.finish(), reason: failure)
            isDamaged = false
        }
        if let running { return (part.bytes, running.finish()) }
        return (part.bytes, try digest(of: part.file).digest)
    }

    private func fail(_ error: DurableFileError) {
        failure = failure ?? error
        isDamaged = true
    }
}
