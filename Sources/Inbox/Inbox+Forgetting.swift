import Catalogue
import DurableFiles
import Wire

// Withdrawal
//  1. One commit marks every upload of the utterance as withdrawn, deletes the utterance with its manifest, and names
//     its files as loose. From here on nothing of it is listed, taken or brought back: a device that offers a part of
//     it gets the receipt and lets go (`create`), a part that is just being finished is dropped (`complete`).
//  2. Its files are removed, durably.
//  3. What is left of its rows is erased, so that the manifest's text stands nowhere any more.
// A crash between them is taken up by the next start, or by forgetting once more.

extension Inbox {
    /// Withdraws an utterance, whatever of it is here; false when nothing of it ever was. Once more is no error.
    /// Throws `file`, `store`; then it is withdrawn already when the next question about it is answered, or not at
    /// all. Blocks for a commit and a sync for each file.
    package func forget(utterance id: String) throws(InboxError) -> Bool {
        let now = clock.now().milliseconds
        let known = try store { () throws(StoreError) in try catalogue.withdraw(utterance: id, at: now) }
        guard known else { return false }
        for upload in try store({ () throws(StoreError) in try catalogue.uploads(.of(utterance: id)) }) {
            if let live = live.withLock({ $0.removeValue(forKey: upload.id) }) { _ = close(live) }
            try removeWithdrawn(upload)
        }
        try store { () throws(StoreError) in try catalogue.eraseRemains() }
        return true
    }

    /// All tombstones whose id begins with `prefix`, the latest withdrawal last.
    package func forgotten(idPrefix prefix: String = "") throws(InboxError) -> [ForgottenUtterance] {
        try store { () throws(StoreError) in try catalogue.forgotten(idPrefix: prefix) }
    }

    /// Removes whatever file of a withdrawn upload is still there.
    func removeWithdrawn(_ upload: Upload) throws(InboxError) {
        try files { () throws(DurableFileError) in try calls.unlink(folder.partial(upload.id)) }
        try removeUnlessNamed(upload.name)
        try removeLooseFiles(of: upload.utterance)
    }

    /// At start: what a crash left of withdrawn utterances.
    func removeAllWithdrawn() throws(InboxError) {
        for upload in try store({ () throws(StoreError) in try catalogue.uploads(.withdrawn) }) {
            try removeUnlessNamed(upload.name)
        }
    }
}
