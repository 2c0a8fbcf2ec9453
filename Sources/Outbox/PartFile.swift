import DurableFiles
import Sealing

/// The file that a recording grows in: bytes are added at its end, into space that was reserved.
struct PartFile: ~Copyable {
    private(set) var file: OpenFile
    /// Whole appends.
    private(set) var bytes = 0
    /// From the file's start on.
    private(set) var reserved = 0
    private let calls: FileCalls

    /// The file must be new.
    init(creating path: String, calls: FileCalls) throws(DurableFileError) {
        file = try calls.open(path, .createNew)
        self.calls = calls
    }

    mutating func reserve(_ length: Int) throws(DurableFileError) {
        try file.reserve(from: reserved, length: length)
        reserved += length
    }

    /// All of them, or an error: then the same bytes may be appended again, or what arrived of them be cut off.
    mutating func append(_ more: UnsafeRawBufferPointer) throws(DurableFileError) {
        try file.write(more, at: bytes)
        bytes += more.count
    }

    mutating func append(_ more: [UInt8]) throws(DurableFileError) {
        try file.write(more, at: bytes)
        bytes += more.count
    }

    /// Cuts after the last whole append; the reservation goes back.
    mutating func cut() throws(DurableFileError) {
        try file.truncate(to: bytes)
        reserved = bytes
    }

    /// Copies what was appended, with `rest` after it, to a new file, which takes the old one's place once it is on the
    /// card. For a file whose sync failed: the kernel may have dropped bytes that it cannot write, and only those that
    /// can be read are worth keeping.
    ///
    /// - Parameter expected: the hash of all of it; a copy that differs has lost something, and is refused. Nil when
    ///   it is not known.
    /// - Throws: `reason` for a copy that differs.
    mutating func moveToNewFile(
        adding rest: [[UInt8]] = [], expected: Digest?, reason: DurableFileError
    ) throws(DurableFileError) {
        let path = file.path
        let copyPath = path + ".copy"
        // One that failed before is begun again.
        let copy = try calls.open(copyPath, .createOrEmpty)
        var hash = SHA256()
        var length = try readPieces(of: file, upTo: bytes) { (piece, offset) throws(DurableFileError) in
            hash.update(piece)
            try copy.write(piece, at: offset)
        }
        for piece in rest {
            hash.update(piece)
            try copy.write(piece, at: length)
            length += piece.count
        }
        if let expected, hash.finish() != expected { throw reason }
        try copy.sync()
        try calls.rename(copyPath, path)
        file = copy
        bytes = length
        reserved = length
    }
}
