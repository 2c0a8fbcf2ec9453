import Catalogue
import DurableFiles
import Glibc
import Inbox
import SQLiteStore

extension Inbox {
    /// Opens a folder that holds everything, SQLite and a folder of files, and makes what is missing in it. Several
    /// programs may have it open; one serves it.
    ///
    /// `calls` and `beforeCommit` are a test's seams: the calls on files, and what happens just before the commit that
    /// completes an upload. Throws `file`, `store`.
    package convenience init(
        folder path: String, settings: Settings = Settings(), clock: HostClock = .system,
        salvage: @escaping SoundSalvage = { _, _ in SalvagedSound.unknown }, calls: FileCalls = .system,
        beforeCommit: (@Sendable () throws(StoreError) -> Void)? = nil
    ) throws(InboxError) {
        let folder = Folder(path)
        let catalogue: SQLiteCatalogue
        do throws(DurableFileError) {
            try calls.makeFolders(folder.incoming)
            try calls.makeFolders(folder.audio)
            try makeDatabaseFile(folder.database, calls)
        } catch {
            throw .file(error)
        }
        do throws(StoreError) { catalogue = try SQLiteCatalogue(path: folder.database) } catch {
            throw .store(error)
        }
        try self.init(
            folder: path, catalogue: catalogue, shelf: FolderShelf(folder.audio, calls: calls),
            settings: settings, clock: clock, salvage: salvage, calls: calls, beforeCommit: beforeCommit)
    }
}

/// SQLite would make a file that everybody may read; its journals get the database's own mode.
///
/// A file that is there is not opened: closing it would drop the locks that SQLite holds on it in this
/// process (https://www.sqlite.org/howtocorrupt.html, 2.2).
private func makeDatabaseFile(_ path: String, _ calls: FileCalls) throws(DurableFileError) {
    do { _ = try calls.open(path, .createNew) } catch {
        guard error.code == EEXIST else { throw error }
    }
}
