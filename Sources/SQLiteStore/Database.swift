import Synchronization

// Invariants
//  1. `write` returns only after COMMIT returned with synchronous = FULL: what it wrote survives a power cut.
//  2. A body that throws changes nothing: its transaction is rolled back.
//  3. Readers do not wait for a writer's sync: they have a connection of their own (WAL).
//  4. A connection is touched only under its lock.
//  5. What is read was synced: after a kill between a commit's write and its sync the log holds a commit that only
//     the page cache knows, so the log is synced (a checkpoint does that first) before anything is read from it.

/// A SQLite database in WAL mode: one connection that writes, one that reads.
package final class Database: Sendable {
    /// The database file.
    package let path: String
    private let writer: Mutex<Connection>
    private let reader: Mutex<Connection>

    /// Opens the file, creates it when it is missing, and brings its schema up to `migrations.count`.
    ///
    /// Migration n (from 0) takes the schema from version n to n + 1 (`PRAGMA user_version`). Throws for a
    /// database that a newer program wrote: older code must not touch what it does not understand.
    package init(path: String, migrations: [String]) throws(StoreError) {
        self.path = path
        var connection = try Connection(path: path)
        // Where another program holds the log it is busy with it, and then that one syncs what it wrote.
        try connection.rows("PRAGMA wal_checkpoint(PASSIVE)")
        try Self.migrate(&connection, path: path, migrations)
        writer = Mutex(connection)
        reader = Mutex(try Connection(path: path, readOnly: true))
    }

    /// Runs `body` in one transaction. Blocks for the commit's sync and for other writers (at most 10 s).
    package func write<Result: Sendable>(
        _ body: (inout Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try writer.withLock { connection throws(StoreError) -> Result in
            try Self.transaction(&connection, body)
        }
    }

    /// Gives the rows of one statement that changes nothing.
    package func rows(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> [SQLRow] {
        try reader.withLock { connection throws(StoreError) -> [SQLRow] in try connection.rows(sql, values) }
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
