import CSQLite
import Catalogue
import Glibc

/// One open connection and its prepared statements. Used by one thread at a time; closed in `deinit`.
struct Connection: ~Copyable, Sendable {
    /// A C handle that only the owner of the connection touches.
    private struct Handle: @unchecked Sendable { let pointer: OpaquePointer }

    private let database: Handle
    private let path: String
    /// Statements by their text; each is reset after use and lives as long as the connection.
    private var statements: [String: Handle]

    /// Opens and, unless `readOnly`, creates the file; sets WAL, FULL, foreign keys and a 10 s busy timeout.
    ///
    /// FULL makes each commit durable when it returns: in WAL mode anything less syncs only at checkpoints
    /// (https://www.sqlite.org/pragma.html#pragma_synchronous). With `syncsCommits` false it is NORMAL, and whoever
    /// commits syncs the log (`log`).
    init(path: String, readOnly: Bool = false, syncsCommits: Bool = true) throws(StoreError) {
        var opened: OpaquePointer?
        let flags =
            (readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
            | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let reason = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw StoreError(operation: "open", path: path, code: code & 0xFF, reason: reason)
        }
        // SQLite opens a file that it could not open for writing again, for reading only, and says nothing.
        guard readOnly || sqlite3_db_readonly(opened, "main") == 0 else {
            sqlite3_close_v2(opened)
            throw StoreError(
                operation: "be opened for writing", path: path, code: SQLITE_READONLY,
                reason: "the system gave it for reading only")
        }
        sqlite3_busy_timeout(opened, 10_000)
        let pragmas =
            readOnly
            ? "PRAGMA foreign_keys = ON"
            : "PRAGMA journal_mode = WAL; PRAGMA synchronous = \(syncsCommits ? "FULL" : "NORMAL"); "
                + "PRAGMA foreign_keys = ON"
        let set = sqlite3_exec(opened, pragmas, nil, nil, nil)
        guard set == SQLITE_OK else {
            let reason = String(cString: sqlite3_errmsg(opened))
            sqlite3_close_v2(opened)
            throw StoreError(operation: "open", path: path, code: set & 0xFF, reason: reason)
        }
        database = Handle(pointer: opened)
        self.path = path
        statements = [:]
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement.pointer) }
        sqlite3_close_v2(database.pointer)
    }

    /// Runs one statement and gives all its rows. `values` fill its `?` in order.
    @discardableResult
    mutating func rows(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> [SQLRow] {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            let code = bind(value, at: Int32(index + 1), in: statement)
            guard code == SQLITE_OK else { throw failure("bind \(sql)", code) }
        }
        var rows: [SQLRow] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append(row(of: statement))
            case SQLITE_DONE: return rows
            case let code: throw failure("run \(sql)", code)
            }
        }
    }

    /// The write-ahead log, to be synced by any thread while this connection is open; nil before the first
    /// transaction.
    var log: WriteAheadLog? { lapel_sqlite_log(database.pointer).map(WriteAheadLog.init) }

    /// Rows that the last statement inserted, changed or deleted.
    var changes: Int { Int(sqlite3_changes(database.pointer)) }

    /// Runs several statements that take no values: a schema.
    func script(_ sql: String) throws(StoreError) {
        let code = sqlite3_exec(database.pointer, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure("run a schema", code) }
    }

    private mutating func prepared(_ sql: String) throws(StoreError) -> OpaquePointer {
        if let known = statements[sql] { return known.pointer }
        var made: OpaquePointer?
        let code = sqlite3_prepare_v3(
            database.pointer, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
        guard code == SQLITE_OK, let made else { throw failure("prepare \(sql)", code) }
        statements[sql] = Handle(pointer: made)
        return made
    }

    private func bind(_ value: SQLValue, at index: Int32, in statement: OpaquePointer) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let integer): sqlite3_bind_int64(statement, index, integer)
        case .real(let real): sqlite3_bind_double(statement, index, real)
        case .text(let text): lapel_sqlite_bind_text(statement, index, text, Int32(text.utf8.count))
        case .blob(let bytes):
            bytes.withUnsafeBytes {
                lapel_sqlite_bind_blob(statement, index, $0.baseAddress, Int32($0.count))
            }
        }
    }

    private func row(of statement: OpaquePointer) -> SQLRow {
        SQLRow(
            (0..<sqlite3_column_count(statement)).map { column in
                let count = Int(sqlite3_column_bytes(statement, column))
                switch sqlite3_column_type(statement, column) {
                case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
                case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
                case SQLITE_TEXT:
                    let bytes = UnsafeRawBufferPointer(
                        start: sqlite3_column_text(statement, column), count: count)
                    return .text(String(decoding: bytes, as: UTF8.self))
                case SQLITE_BLOB:
                    return .blob(
                        [UInt8](
                            UnsafeRawBufferPointer(
                                start: sqlite3_column_blob(statement, column), count: count)))
                default: return .null
                }
            })
    }

    private func failure(_ operation: String, _ code: Int32) -> StoreError {
        StoreError(
            operation: operation.split(whereSeparator: \.isWhitespace).joined(separator: " "), path: path,
            code: code & 0xFF, reason: String(cString: sqlite3_errmsg(database.pointer)))
    }
}
