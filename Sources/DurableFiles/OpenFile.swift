import CFileSpace
import Glibc

/// An open file. Closed when the value ends; what must reach the card is synced before.
package struct OpenFile: ~Copyable, Sendable {
    package let path: String
    private let descriptor: Int32
    private let calls: FileCalls

    init(path: String, descriptor: Int32, calls: FileCalls) {
        self.path = path
        self.descriptor = descriptor
        self.calls = calls
    }

    // After a sync nothing is left that close(2) could lose, and before one nothing was promised.
    deinit { close(descriptor) }

    /// Writes at the file's position: its end when it was opened for appending. Whole, or throws.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(DurableFileError) {
        try calls.makeWrite(FileCall(.write, path), count: bytes.count) {
            Glibc.write(descriptor, bytes.baseAddress! + $0.lowerBound, $0.count)
        }
    }

    package func write(_ bytes: [UInt8]) throws(DurableFileError) {
        try calls.makeWrite(FileCall(.write, path), count: bytes.count) { range in
            bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + range.lowerBound, range.count) }
        }
    }

    /// Writes at `offset` and leaves the position alone. Whole, or throws.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DurableFileError) {
        try calls.makeWrite(FileCall(.write, path), count: bytes.count) {
            pwrite(descriptor, bytes.baseAddress! + $0.lowerBound, $0.count, off_t(offset + $0.lowerBound))
        }
    }

    package func write(_ bytes: [UInt8], at offset: Int) throws(DurableFileError) {
        try calls.makeWrite(FileCall(.write, path), count: bytes.count) { range in
            bytes.withUnsafeBytes {
                pwrite(
                    descriptor, $0.baseAddress! + range.lowerBound, range.count,
                    off_t(offset + range.lowerBound))
            }
        }
    }

    /// Reads from `offset` into `buffer`; the number of bytes read, 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(DurableFileError)
        -> Int
    {
        try calls.make(FileCall(.read, path)) {
            pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
        }
    }

    /// Cuts the file to `size` bytes and gives back the blocks that were reserved beyond it.
    package func truncate(to size: Int) throws(DurableFileError) {
        try calls.make(FileCall(.truncate, path)) { Int(ftruncate(descriptor, off_t(size))) }
    }

    /// Reserves blocks for `length` bytes from `offset` on; the size does not change.
    /// A file system that cannot reserve is no failure: writing then finds out by itself that the card is full.
    package func reserve(from offset: Int, length: Int) throws(DurableFileError) {
        do {
            try calls.make(FileCall(.reserve, path)) {
                Int(lapel_reserve(descriptor, off_t(offset), off_t(length)))
            }
        } catch  where error.code == EOPNOTSUPP || error.code == ENOSYS {
            return
        }
    }

    /// `fsync`: returns when bytes and size are on the card. May block for seconds on a slow card.
    package func sync() throws(DurableFileError) {
        try calls.make(FileCall(.sync, path)) { Int(fsync(descriptor)) }
    }

    /// `fdatasync`: returns when bytes and size are on the card. May block as `sync` does.
    package func syncData() throws(DurableFileError) {
        try calls.make(FileCall(.syncData, path)) { Int(fdatasync(descriptor)) }
    }

    package func size() throws(DurableFileError) -> Int {
        var status = stat()
        try calls.make(FileCall(.size, path)) { Int(fstat(descriptor, &status)) }
        return Int(status.st_size)
    }

    /// Takes the file for this process alone, until the value ends; false when another holds it.
    package func lock() throws(DurableFileError) -> Bool {
        do {
            try calls.make(FileCall(.lock, path)) { Int(flock(descriptor, LOCK_EX | LOCK_NB)) }
            return true
        } catch  where error.code == EWOULDBLOCK {
            return false
        }
    }
}
