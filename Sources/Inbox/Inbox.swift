import DurableFiles
import Glibc
import SQLiteStore
import Synchronization
import Wire

// Invariants
//  1. An upload counts as complete only by its row, and the row says so only after its bytes were hashed and
//     found right and are durable: a stored file under its content's name, or (manifests) in the same commit.
//  2. A receipt is given for a complete row and for nothing else.
//  3. How many bytes of an upload are here is the size of its file; no row repeats it.
//  4. A file in audio/ is never written to: it comes by rename, whole, hashed and synced.
//  5. An upload's id is the hash of utterance and kind: whatever is retried, by whichever key, is the same one.
//  6. One writer at a time has the upload's generation; older ones stop at their next write.
//  7. A sealed upload is complete only after it was opened to its last chunk with a key of this host. The exception
//     is a part that a power cut ended: it is opened as far as it goes, together with its tail, before the receipt
//     of whichever of the two comes last.
//  8. What is withdrawn is gone and stays gone: its row answers with the receipt, and nothing of it is taken again.
//  9. Locks: the map's lock, an upload's lock and the database's are never held together, and none is held
//     while a file is hashed or synced.
//
// Order of an upload's life
//  1. Commit its row, reserve its space (`Inbox+Creation`). A power cut may take the row: then it is created again.
//  2. Write its bytes to incoming/ (`UploadWriter`).
//  3. Hash, sync file and row, rename to its content's name, sync the folder, commit (`Inbox+Finish`).
//  4. The receipt.
// A start takes up what a crash left between 2 and 4 (`Inbox+Start`).

/// The host's custody of what devices send.
package final class Inbox: Sendable {
    /// Where everything is.
    package let folder: Folder
    /// The bounds it keeps.
    package let settings: Settings
    let database: Database
    let clock: HostClock
    let calls: FileCalls
    /// The age keys that open what devices seal.
    package let keys: HostKeys
    let salvage: Salvage
    let live = Mutex<[String: LiveUpload]>([:])
    let contacts = Mutex<[ContactKey: Contact]>([:])
    /// Utterances one of whose parts is taking its last steps: the part that comes last puts them together.
    let assembling = Mutex<Set<String>>([])
    /// Folders in audio/ that this program has found or made durably.
    let shelves = Mutex<Set<String>>([])
    private let beforeCommit: (@Sendable () throws(StoreError) -> Void)?

    /// What the host's owner may bound.
    package struct Settings: Equatable, Sendable {
        /// Bytes that one device may keep on the host; nil for no bound.
        package var quotaPerDevice: Int?
        /// How long a half upload is kept after its last byte.
        package var keepHalfUploads: Duration
        /// The largest single upload, bytes.
        package var largestUpload: Int

        package init(
            quotaPerDevice: Int? = nil, keepHalfUploads: Duration = .seconds(3 * 86_400),
            largestUpload: Int = 4 << 30
        ) {
            self.quotaPerDevice = quotaPerDevice
            self.keepHalfUploads = keepHalfUploads
            self.largestUpload = largestUpload
        }
    }

    /// The largest manifest, bytes: four hours of readings are under 2 MB, and it is read whole into memory.
    package static let largestManifest = 8 << 20

    /// Opens the folder and makes what is missing in it. Several programs may have it open; one serves it. `salvage`
    /// mends recordings that a power cut ended; without it they are kept as they are.
    ///
    /// `calls` and `beforeCommit` are a test's seams: the calls on files, and what happens just before the
    /// commit that completes an upload.
    package init(
        folder path: String, settings: Settings = Settings(), clock: HostClock = .system,
        salvage: @escaping Salvage = { _, _ in SalvagedSound.unknown }, calls: FileCalls = .system,
        beforeCommit: (@Sendable () throws(StoreError) -> Void)? = nil
    ) throws(InboxError) {
        folder = Folder(path)
        self.settings = settings
        self.clock = clock
        self.calls = calls
        self.salvage = salvage
        keys = HostKeys(folder: folder.keys, calls: calls)
        self.beforeCommit = beforeCommit
        let folder = folder
        try files { () throws(DurableFileError) in
            try calls.makeFolders(folder.incoming)
            try calls.makeFolders(folder.audio)
            try Self.makeDatabaseFile(folder.database, calls)
        }
        do { database = try Database(path: folder.database, migrations: Schema.migrations) } catch {
            throw .store(error)
        }
    }

    /// SQLite would make a file that everybody may read; its journals get the database's own mode.
    ///
    /// A file that is there is not opened: closing it would drop the locks that SQLite holds on it in this
    /// process (https://www.sqlite.org/howtocorrupt.html, 2.2).
    private static func makeDatabaseFile(_ path: String, _ calls: FileCalls) throws(DurableFileError) {
        do { _ = try calls.open(path, .createNew) } catch {
            guard error.code == EEXIST else { throw error }
        }
    }

    /// The commit that completes an upload; the contacts noted meanwhile travel with it.
    func commit<Result: Sendable>(
        _ body: (inout Connection) throws(StoreError) -> Result
    ) throws(InboxError) -> Result {
        try store { () throws(StoreError) in
            try beforeCommit?()
            return try write(body)
        }
    }

    /// A transaction that also stores the contacts noted since the last one. With `lazily` it is durable only with the
    /// next one that is: for rows whose loss costs a repetition and nothing else.
    func write<Result: Sendable>(
        lazily: Bool = false, _ body: (inout Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let noted = contacts.withLock { contacts in
            defer { contacts = [:] }
            return contacts
        }
        do {
            let result = try database.writeLazily { connection throws(StoreError) in
                // What a row held is overwritten when it goes or changes: it may be what somebody said.
                try connection.rows("PRAGMA secure_delete = ON")
                for (key, contact) in noted { try Self.keep(contact, of: key, &connection) }
                return try body(&connection)
            }
            if !lazily { try database.settle() }
            return result
        } catch {
            contacts.withLock { contacts in
                contacts.merge(noted) { newer, older in older.merged(with: newer) }
            }
            throw error
        }
    }
}
