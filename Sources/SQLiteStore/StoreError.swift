/// Why the database could not do what was asked, as a sentence.
package struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried: "open", "prepare", "commit", "migrate", "read", "write".
    package let operation: String
    /// The database file.
    package let path: String
    /// SQLite's primary result code, for example 13 (`SQLITE_FULL`).
    package let code: Int32
    /// SQLite's own words.
    package let reason: String

    package init(operation: String, path: String, code: Int32, reason: String) {
        self.operation = operation
        self.path = path
        self.code = code
        self.reason = reason
    }

    /// `SQLITE_FULL`: the disk has no room.
    package var isFull: Bool { code == 13 }

    package var description: String {
        let remedy =
            switch code {
            case 5: "; another program holds it, try again"
            case 8: "; its folder or file is read-only"
            case 11, 26: "; the file is damaged, restore the folder from a back-up"
            case 13: "; the disk is full, make room"
            case 14: "; check that its folder exists and may be written"
            default: ""
            }
        return "The database \(path) could not \(operation): \(reason)\(remedy)."
    }
}
