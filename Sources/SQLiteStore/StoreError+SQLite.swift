import Catalogue

extension StoreError {
    /// What SQLite could not do. `operation` completes "The database … could not"; `code` is its primary result code,
    /// for example 13 (`SQLITE_FULL`), 0 for a reason of our own; `reason` its own words.
    package init(operation: String, path: String, code: Int32, reason: String) {
        let remedy =
            switch code {
            case 5: "; another program holds it, try again"
            case 8: "; its folder or file is read-only"
            case 11, 26: "; the file is damaged, restore the folder from a back-up"
            case 13: "; the disk is full, make room"
            case 14: "; check that its folder exists and may be written"
            default: ""
            }
        self.init("The database \(path) could not \(operation): \(reason)\(remedy).", isFull: code == 13)
    }
}
