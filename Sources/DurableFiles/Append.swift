import Glibc

// Invariants
// 1. Bytes are only ever added at the end; a reader sees each `append` in order.
// 2. When `sync` returns, everything appended before it survives a power cut.
// 3. The file's name survives a power cut from `init` on.
//
// Order: open (or create) for appending, fsync the folder; then writes; then fdatasync, which also brings the
// size to the card because it is needed to read the bytes back (fdatasync(2)).

/// A file that only grows: a log, a journal.
package struct Append: ~Copyable, Sendable {
    private let file: OpenFile

    /// Opens `path`, creating it when it is not there.
    package init(_ path: String, mode: mode_t = 0o600, calls: FileCalls = .system) throws(DurableFileError) {
        let opened = try calls.open(path, .append, mode: mode)
        try calls.syncFolder(folder(of: path))
        file = opened
    }

    /// Hands the bytes to the kernel and returns; they are safe from a killed process, not yet from a power cut.
    package func append(_ bytes: [UInt8]) throws(DurableFileError) { try file.write(bytes) }

    package func append(_ bytes: UnsafeRawBufferPointer) throws(DurableFileError) { try file.write(bytes) }

    /// Returns when everything appended is on the card. May block for seconds.
    package func sync() throws(DurableFileError) { try file.syncData() }
}
