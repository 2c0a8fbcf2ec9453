import Catalogue
import Synchronization

// Invariants
//  1. `write` returns only after its commit's bytes in the log were synced: what it wrote survives a power cut.
//  2. A body that throws changes nothing: its transaction is rolled back. Where the sync fails, what was committed is
//     seen, and is not promised: `settle` says so until it is on the disk.
//  3. Nobody waits for another one's sync to commit or to read: a reader has a connection of its own (WAL), and the log
//     is synced outside the writer's lock.
//  4. A connection is touched only under its lock. The order of locks: log, writer.
//  5. What another program committed before this one opened the file was synced by it or is now: after a kill between a
//     commit's write and its sync the log holds a commit that only the page cache knows, so the log is synced (a
//     checkpoint does that first) before anything is read from it.
//  6. After a sync that failed, the system may call the same bytes clean: they count again only when a checkpoint has
//     copied them into the database file and synced that.
//
// Group commit: commits take microseconds, syncs milliseconds. Whoever comes while a sync runs waits for its end, and
// the first of them syncs for all that wait: the log is a file that only grows behind what was written before.

/// A SQLite database in WAL mode: one connection that writes, one that reads.
final class Database: Sendable {
    /// The database file.
    let path: String
    private let writer: Mutex<Connection>
    private let reader: Mutex<Connection>
    private let log: Mutex<Log>
    /// Commits so far.
    private let committed = Atomic<UInt64>(0)

    private struct Log: Sendable {
        let file: WriteAheadLog
        /// Commits that are on the disk.
        var synced: UInt64 = 0
        /// The last sync failed.
        var isDoubtful = false
    }

    /// Pages in the log that make a commit copy them into the database file: 16 MiB.
    private static let checkpointPages = 4096

    /// Opens the file, creates it when it is missing, and brings its schema up to `migrations.count`.
    ///
    /// Migration n (from 0) takes the schema from version n to n + 1 (`PRAGMA user_version`). Throws for a
    /// database that a newer program wrote: older code must not touch what it does not understand.
    init(path: String, migrations: [String]) throws(StoreError) {
        self.path = path
        var connection = try Connection(path: path, syncsCommits: false)
        // Where another program holds the log it is busy with it, and then that one syncs what it wrote.
        try connection.rows("PRAGMA wal_checkpoint(PASSIVE)")
        try connection.rows("PRAGMA wal_autocheckpoint = \(Self.checkpointPages)")
        // What a row held is overwritten when it goes or changes: it may be what somebody said.
        try connection.rows("PRAGMA secure_delete = ON")
        try Self.migrate(&connection, path: path, migrations)
        guard let file = connection.log else {
            throw StoreError(
                operation: "open", path: path, code: 0,
                reason: "it has no write-ahead log on this file system")
        }
        log = Mutex(Log(file: file))
        writer = Mutex(connection)
        reader = Mutex(try Connection(path: path, readOnly: true))
        committed.store(1, ordering: .sequentiallyConsistent)
        try settle()
    }

    /// Runs `body` in one transaction. Blocks for the sync and for other writers (at most 10 s).
    func write<Result: Sendable>(
        _ body: (inout Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let result = try writeLazily(body)
        try settle()
        return result
    }

    /// The same without the sync: seen at once, and durable with the next commit that is. What it wrote may be gone
    /// after a power cut, and never what came later without it.
    func writeLazily<Result: Sendable>(
        _ body: (inout Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try writer.withLock { connection throws(StoreError) -> Result in
            defer { committed.add(1, ordering: .sequentiallyConsistent) }
            return try Self.transaction(&connection, body)
        }
    }

    /// Returns when everything that can be read now is on the disk. Blocks for a sync at most, or for two.
    func settle() throws(StoreError) {
        let wanted = committed.load(ordering: .sequentiallyConsistent)
        try log.withLock { log throws(StoreError) in
            if log.isDoubtful { try copyLog(&log) }
            guard log.synced < wanted else { return }
            let all = committed.load(ordering: .sequentiallyConsistent)
            let code = log.file.sync()
            guard code == 0 else {
                log.isDoubtful = true
                throw StoreError(
                    operation: "sync its log", path: path, code: code & 0xFF, reason: "disk I/O error")
            }
            log.synced = all
        }
    }

    /// Everything that was committed was synced.
    var isSettled: Bool {
        log.withLock { $0.synced == committed.load(ordering: .sequentiallyConsistent) && !$0.isDoubtful }
    }

    private func copyLog(_ log: inout Log) throws(StoreError) {
        let all = committed.load(ordering: .sequentiallyConsistent)
        let rows = try writer.withLock { connection throws(StoreError) in
            try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        guard rows.first?.integer(0) == 0 else {
            throw StoreError(
                operation: "copy its log", path: path, code: 5, reason: "another program is reading it")
        }
        log.synced = all
        log.isDoubtful = false
    }

    /// Gives the rows of one statement that changes nothing.
    func rows(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> [SQLRow] {
        try reader.withLock { connection throws(StoreError) -> [SQLRow] in try connection.rows(sql, values) }
    }

    /// Empties the log into the database file, as far as readers allow, through a connection of its own: who reads or
    /// writes here need not wait.
    func emptyLog() throws(StoreError) {
        var connection = try Connection(path: path)
        try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private static func transaction<Result: Sendable>(
        _ connection: inout Connection, _ body: (inout Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try connection.rows("BEGIN IMMEDIATE")
        do {
            let result = try body(&connection)
            try connection.rows("COMMIT")
            return result
        } catch {
            // SQLite may have rolled back by itself (full disk, I/O error): then this one has nothing to do.
            _ = try? connection.rows("ROLLBACK")
            throw error
        }
    }

    private static func migrate(
        _ connection: inout Connection, path: String, _ migrations: [String]
    ) throws(StoreError) {
        // The version is read inside the transaction: two programs may start at once.
        try transaction(&connection) { connection throws(StoreError) in
            let version = Int(try connection.rows("PRAGMA user_version").first?.integer(0) ?? 0)
            guard version <= migrations.count else {
                throw StoreError(
                    operation: "be opened", path: path, code: 0,
                    reason:
                        "its schema is version \(version) and this program knows \(migrations.count); use a newer lapel-host"
                )
            }
            for next in version..<migrations.count {
                try connection.script(migrations[next])
                try connection.script("PRAGMA user_version = \(next + 1)")
            }
        }
    }
}
