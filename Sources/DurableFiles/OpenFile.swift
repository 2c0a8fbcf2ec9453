import Glibc

/// An open file. Closed when the value ends; what must reach the card is synced before.
package struct OpenFile: ~Copyable, Sendable {
    package let path: String
    private let handle: Int32
    private let calls: FileCalls

    init(path: String, handle: Int32, calls: FileCalls) {
        self.path = path
        self.handle = handle
        self.calls = calls
    }

    // After a sync nothing is left that close(2) could lose, and before one nothing was promised.
    deinit { calls.files.close(handle) }

    /// Writes at the file's position: its end when it was opened for appending. Whole, or throws.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(DurableFileError) {
        try calls.makeWrite(FileCall(.write, path), count: bytes.count) {
            calls.files.write(handle, UnsafeRawBufferPointer(rebasing: bytes[$0]))
        }
    }

    package func write(_ bytes: [UInt8]) throws(DurableFileError) {
        try calls.makeWrite(FileCall(.write, path), count: bytes.count) { range in
            bytes.withUnsafeBytes { calls.files.write(handle, UnsafeRawBufferPointer(rebasing: $0[range])) }
        }
    }

    /// Writes at `offset` and leaves the position alone. Whole, or throws.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DurableFileError) {
        try calls.makeWrite(FileCall(.write, path), count: bytes.count) {
            calls.files.write(
                handle, UnsafeRawBufferPointer(rebasing: bytes[$0]), at: offset + $0.lowerBound)
        }
    }

    package func write(_ bytes: [UInt8], at offset: Int) throws(DurableFileError) {
        try calls.makeWrite(FileCall(.write, path), count: bytes.count) { range in
            bytes.withUnsafeBytes {
                calls.files.write(
                    handle, UnsafeRawBufferPointer(rebasing: $0[range]), at: offset + range.lowerBound)
            }
        }
    }

    /// Reads from `offset` into `buffer`; the number of bytes read, 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(DurableFileError)
        -> Int
    {
        try calls.make(FileCall(.read, path)) {
            calls.files.read(handle, into: buffer, at: offset)
        }
    }

    /// Cuts the file to `size` bytes and gives back the blocks that were reserved beyond it.
    package func truncate(to size: Int) throws(DurableFileError) {
        try calls.make(FileCall(.truncate, path)) { calls.files.truncate(handle, to: size) }
    }

    /// Reserves blocks for `length` bytes from `offset` on; the size does not change.
    /// A file system that cannot reserve is no failure: writing then finds out by itself that the card is full.
    package func reserve(from offset: Int, length: Int) throws(DurableFileError) {
        do {
            try calls.make(FileCall(.reserve, path)) {
                calls.files.reserve(handle, from: offset, length: length)
            }
        } catch  where error.code == EOPNOTSUPP || error.code == ENOSYS {
            return
        }
    }

    /// `fsync`: returns when bytes and size are on the card. May block for seconds on a slow card.
    package func sync() throws(DurableFileError) {
        try calls.make(FileCall(.sync, path)) { calls.files.sync(handle, dataOnly: false) }
    }

    /// `fdatasync`: returns when bytes and size are on the card. May block as `sync` does.
    package func syncData() throws(DurableFileError) {
        try calls.make(FileCall(.syncData, path)) { calls.files.sync(handle, dataOnly: true) }
    }

    package func size() throws(DurableFileError) -> Int {
        try calls.make(FileCall(.size, path)) { calls.files.size(handle) }
    }

    /// Takes the file for this process alone, until the value ends; false when another holds it.
    package func lock() throws(DurableFileError) -> Bool {
        do {
            try calls.make(FileCall(.lock, path)) { calls.files.lock(handle) }
            return true
        } catch  where error.code == EWOULDBLOCK {
            return false
        }
    }
}
