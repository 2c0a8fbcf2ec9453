import CSQLite

/// An open connection's log. Syncing it makes durable what was committed; it may be done beside a writer.
struct WriteAheadLog: @unchecked Sendable {
    /// SQLite's file object; it lives as long as the connection.
    private let file: UnsafeMutableRawPointer

    init(_ file: UnsafeMutableRawPointer) { self.file = file }

    /// SQLite's result code. Blocks until everything that was written before is on the disk.
    func sync() -> Int32 { lapel_sqlite_sync(file) }
}
