import DurableFiles
import Synchronization

/// Holds back the bytes of one request until somebody has found that they are right; only then are they the upload's.
///
/// The size of an upload's file is its offset, and survives a crash: bytes that may be wrong never stand in it. They
/// wait in a file without a name, a small one in memory.
package final class CheckedWriter: Sendable {
    /// Takes the bytes once they are right.
    package let writer: UploadWriter
    private let held: NamelessFile
    private let size = Mutex(0)
    /// Bytes that the upload misses.
    private let room: Int

    /// Up to this many bytes are held in memory.
    private static let mostInMemory = 1 << 20

    /// `expecting` is how many bytes the request has, as far as that is known.
    init(_ writer: UploadWriter, expecting: Int, near folder: String) throws(InboxError) {
        let room = writer.upload.length - writer.offset
        self.writer = writer
        self.room = room
        held = try files { () throws(DurableFileError) in
            try NamelessFile(expecting: min(expecting, room), near: folder, mostInMemory: Self.mostInMemory)
        }
    }

    /// Throws `tooMuch`, `file`. Blocks for one write.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(InboxError) {
        try size.withLock { size throws(InboxError) in
            guard bytes.count <= room - size else { throw .tooMuch(length: writer.upload.length) }
            try files { () throws(DurableFileError) in try held.append(bytes) }
            size += bytes.count
        }
    }

    /// Makes the bytes the upload's. Throws `superseded`, `file`; what was written before that stays: it is right.
    package func keep() throws(InboxError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var done = 0
        while true {
            let count = try files { () throws(DurableFileError) in try held.read(into: buffer, at: done) }
            if count == 0 { return }
            try writer.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            done += count
        }
    }
}

extension Inbox {
    /// A writer from `offset` on that keeps nothing before its bytes are known to be right; throws as `writer` does.
    package func checkedWriter(
        _ id: String, from offset: Int, expecting: Int
    ) throws(InboxError) -> CheckedWriter {
        try CheckedWriter(try writer(id, from: offset), expecting: expecting, near: folder.incoming)
    }
}
