import Catalogue
import DurableFiles
import Synchronization

// Invariants
//  1. An upload counts as complete only by its row, and the row says so only after its bytes were hashed and
//     found right and are durable: an object on the shelf, or (manifests) in the same commit.
//  2. A receipt is given for a complete row and for nothing else.
//  3. How many bytes of an upload are here is the size of its file; no row repeats it.
//  4. An object on the shelf is never written to: it comes there whole, hashed and synced. What is on its way stands
//     in incoming/, which is always local.
//  5. An upload's id is the hash of utterance and kind: whatever is retried, by whichever key, is the same one.
//  6. One writer at a time has the upload's generation; older ones stop at their next write.
//  7. A sealed upload is complete only after it was opened to its last chunk with a key of this host. The exception
//     is a part that a power cut ended: it is opened as far as it goes, together with its tail, before the receipt
//     of whichever of the two comes last.
//  8. What is withdrawn is gone and stays gone: its row answers with the receipt, and nothing of it is taken again.
//  9. Locks: the map's lock and an upload's lock are never held together, nor while the catalogue is asked, and none
//     is held while a file is hashed or synced. A removal from the shelf alone stands in an operation of the catalogue.
// 10. A row comes before its object and leaves after it: what a crash leaves on the shelf has a row that explains it.
//
// Order of an upload's life
//  1. Commit its row lazily, reserve its space (`Inbox+Creation`). A power cut may take the row: then it is created
//     again.
//  2. Write its bytes to incoming/ (`UploadWriter`).
//  3. Hash, sync the file, settle its row, put it on the shelf, commit (`Inbox+Finish`).
//  4. The receipt.
// A start takes up what a crash left between 2 and 4 (`Inbox+Start`).

/// The host's custody of what devices send.
package final class Inbox: Sendable {
    /// Where everything is.
    package let folder: Folder
    /// The bounds it keeps.
    package let settings: Settings
    let catalogue: any Catalogue & Feed
    package let shelf: any Shelf
    let clock: HostClock
    let calls: FileCalls
    /// The age keys that open what devices seal.
    package let keys: HostKeys
    let salvage: SoundSalvage
    let live = Mutex<[String: LiveUpload]>([:])
    /// Utterances one of whose parts is taking its last steps: the part that comes last puts them together.
    let assembling = Mutex<Set<String>>([])
    let beforeCommit: (@Sendable () throws(StoreError) -> Void)?

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

    /// Keeps what is on its way, the keys and the lock in the folder, and makes what is missing in it. `salvage` mends
    /// recordings that a power cut ended; without it they are kept as they are. `calls` and `beforeCommit` are a test's
    /// seams: the calls on files, and what happens just before the commit that completes an upload. Throws `file`.
    package init(
        folder path: String, catalogue: any Catalogue & Feed, shelf: any Shelf,
        settings: Settings = Settings(),
        clock: HostClock = .system, salvage: @escaping SoundSalvage = { _, _ in SalvagedSound.unknown },
        calls: FileCalls = .system, beforeCommit: (@Sendable () throws(StoreError) -> Void)? = nil
    ) throws(InboxError) {
        folder = Folder(path)
        self.catalogue = catalogue
        self.shelf = shelf
        self.settings = settings
        self.clock = clock
        self.calls = calls
        self.salvage = salvage
        keys = HostKeys(folder: folder.keys, calls: calls)
        self.beforeCommit = beforeCommit
        let incoming = folder.incoming
        try files { () throws(DurableFileError) in try calls.makeFolders(incoming) }
    }
}
