import Catalogue
import DurableFiles

/// The one program that serves a folder; others may look, pair and check beside it.
package struct ServingLock: ~Copyable, Sendable {
    private let file: OpenFile

    /// Throws `inUse` when another program serves the folder.
    package init(_ inbox: Inbox) throws(InboxError) {
        let folder = inbox.folder
        let calls = inbox.calls
        let opened = try files { () throws(DurableFileError) in try calls.open(folder.lock, .append) }
        let free: Bool
        do { free = try opened.lock() } catch { throw .file(error) }
        guard free else { throw .inUse(folder: folder.path) }
        file = opened
    }
}

extension Inbox {
    /// What a start found and did, a sentence each for the log.
    ///
    /// Takes up what a crash left: whole uploads are hashed again and committed, whether they were still in
    /// incoming/ or had their content's name already; files in incoming/ that no row knows are removed, and so is
    /// what was half made or half withdrawn. A file in audio/ that no upload announced stays, for `check` to tell.
    /// Called by the program that holds `ServingLock`, before it listens.
    package func recover() throws(InboxError) -> [String] {
        var notes: [String] = []
        try removeAllWithdrawn()
        try removeLooseFiles()
        let half = try halfUploads()
        for upload in half {
            do throws(InboxError) {
                _ = try finish(upload.id)
                notes.append("\(upload.subject) was taken up after a crash.")
            } catch {
                switch error {
                case .unfinished, .manifestFirst: break
                case .wrongHash, .unusable, .unknownUpload, .conflicting, .wrongOffset, .beingFinished,
                    .superseded, .tooMuch, .unsigned, .badKey, .ownKeys, .salvage, .alreadyComplete,
                    .overQuota, .tooManyHalves, .noRoom, .file, .store, .inUse:
                    notes.append("\(upload.subject): \(error)")
                }
            }
        }
        let known = Set(try halfUploads().map(\.id))
        try files { () throws(DurableFileError) in
            for name in try calls.list(folder.incoming) where !known.contains(name) {
                try calls.unlink(folder.partial(name))
            }
        }
        return notes
    }

    func halfUploads(createdBefore limit: Int64 = .max) throws(InboxError) -> [Upload] {
        try store { () throws(StoreError) in try catalogue.uploads(.half(announcedBefore: limit)) }
    }
}
