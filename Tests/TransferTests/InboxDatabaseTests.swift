import Catalogue
import TestSupport
import Testing

@testable import SQLiteStore

@Suite struct InboxDatabaseTests {
    @Test func whatIsWrittenLazilyIsReadAtOnceAndASettleAfterItIsEnough() throws {
        let folder = TemporaryFolder()
        let database = try Database(path: folder.file("a.db"), migrations: ["CREATE TABLE t (x INTEGER)"])
        _ = try database.writeLazily { connection throws(StoreError) in
            try connection.rows("INSERT INTO t VALUES (1)")
        }
        #expect(try database.rows("SELECT x FROM t").count == 1)
        #expect(!database.isSettled)
        try database.settle()
        #expect(database.isSettled)
        #expect(try database.rows("SELECT x FROM t").count == 1)
    }

    /// Each thread's own writes, some of which fail: exactly the others are there.
    @Test func manyWritersAtOnceLoseAndMixNothing() async throws {
        let folder = TemporaryFolder()
        let database = try Database(
            path: folder.file("a.db"), migrations: ["CREATE TABLE t (x INTEGER PRIMARY KEY)"])
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for number in 0..<20 {
                        let value = SQLValue.integer(Int64(writer * 20 + number))
                        _ = try? database.write { connection throws(StoreError) in
                            try connection.rows("INSERT INTO t VALUES (?)", [value])
                            // Once more is against the key.
                            if number % 5 == 0 { try connection.rows("INSERT INTO t VALUES (?)", [value]) }
                        }
                    }
                }
            }
        }
        #expect(try database.rows("SELECT count(*) FROM t").first?.integer(0) == 8 * 16)
    }

    let folder = TemporaryFolder()
    private let schema = ["CREATE TABLE t (a INTEGER, b TEXT, c BLOB, d REAL)"]

    @Test func everyValueComesBackAsItWent() throws {
        let database = try Database(path: folder.file("x.db"), migrations: schema)
        let values: [SQLValue] = [.integer(.min), .text("naïve\0text"), .blob([0, 255]), .real(-0.5)]
        try database.write { connection throws(StoreError) in
            try connection.rows("INSERT INTO t VALUES (?, ?, ?, ?)", values)
            try connection.rows("INSERT INTO t VALUES (?, ?, ?, ?)", [.null, .text(""), .blob([]), .null])
        }
        let rows = try database.rows("SELECT * FROM t")
        #expect(rows == [SQLRow(values), SQLRow([.null, .text(""), .blob([]), .null])])
    }

    @Test func aBodyThatThrowsChangesNothing() throws {
        let database = try Database(path: folder.file("x.db"), migrations: schema)
        #expect(throws: StoreError.self) {
            try database.write { connection throws(StoreError) in
                try connection.rows("INSERT INTO t (a) VALUES (1)")
                try connection.rows("INSERT INTO missing VALUES (1)")
            }
        }
        #expect(try database.rows("SELECT * FROM t") == [])
    }

    @Test func migrationsRunOnceAndInOrder() throws {
        let path = folder.file("x.db")
        _ = try Database(path: path, migrations: schema)
        let more = schema + ["ALTER TABLE t ADD COLUMN e INTEGER DEFAULT 3"]
        let database = try Database(path: path, migrations: more)
        #expect(try database.rows("PRAGMA user_version").first?.integer(0) == 2)
        #expect(try Database(path: path, migrations: more).rows("SELECT e FROM t") == [])
    }

    @Test func aNewerSchemaIsLeftAlone() throws {
        let path = folder.file("x.db")
        _ = try Database(path: path, migrations: schema + ["CREATE TABLE u (a)"])
        let error = errorThrown(StoreError.self) { try Database(path: path, migrations: schema) }
        #expect(error?.description.contains("use a newer lapel-host") == true)
    }

    @Test func aFolderThatIsNotThereIsSaid() {
        let error = errorThrown(StoreError.self) {
            try Database(path: folder.file("no/x.db"), migrations: schema)
        }
        #expect(error?.description.contains("check that its folder exists") == true)
    }

    /// That the sync is one is held by the simulated power cuts (`CustodyTests`), whose disk forgets what was not.
    @Test func aWriteSyncsTheLogItself() throws {
        let database = try Database(path: folder.file("x.db"), migrations: schema)
        #expect(database.isSettled)
        let settings = try database.write { connection throws(StoreError) in
            try [
                connection.rows("PRAGMA synchronous"), connection.rows("PRAGMA journal_mode"),
                connection.rows("PRAGMA foreign_keys"),
            ].map { $0.first?.values.first }
        }
        #expect(settings == [.integer(1), .text("wal"), .integer(1)])
        #expect(database.isSettled)
    }
}
