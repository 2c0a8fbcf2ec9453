import Catalogue
import DurableFiles
import Glibc
import Wire

// Half uploads end `keepHalfUploads` after their last byte. The wall clock decides, because nothing else outlives a
// boot: a clock that jumps makes a device send again, and loses nothing.
//
// Order: the row, then its file. A crash between the two leaves a file that no row knows, which is no upload's any more;
// it goes at the next start or at the next housekeeping.

extension Inbox {
    /// Forgets old half uploads, and removes what expired ones may have left in incoming/; how many were forgotten.
    /// While the server runs, once an hour is enough. Throws `file`, `store`.
    package func expire() throws(InboxError) -> Int {
        let limit = clock.now().milliseconds - Int64(settings.keepHalfUploads.components.seconds) * 1000
        var count = 0
        for upload in try halfUploads(createdBefore: limit) {
            guard modified(folder.partial(upload.id)) < limit, close(try liveUpload(upload)) else { continue }
            try forget(upload)
            count += 1
        }
        try removeStrays()
        return count
    }

    /// When a half upload is forgotten, unless more of it comes: seconds since 1970.
    package func expiry(of upload: Upload) -> Int64 {
        let written = modified(folder.partial(upload.id))
        let last = written > 0 ? written : clock.now().milliseconds
        return last / 1000 + settings.keepHalfUploads.components.seconds
    }

    /// When a file was last written to, milliseconds since 1970; 0 when it is not there.
    private func modified(_ path: String) -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        return Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
    }

    /// Files of uploads that no row knows. The question and the removal stand in one operation, and a new upload is
    /// announced in another before its file is made: what is being begun is not taken for a stray.
    private func removeStrays() throws(InboxError) {
        let names = try files { () throws(DurableFileError) in
            try calls.list(folder.incoming).filter { Hex.isLowercase($0, digits: 64) }
        }
        for name in names where try find(name) == nil {
            var failure: DurableFileError?
            try store { () throws(StoreError) in
                try catalogue.ifUnknown(upload: name) {
                    do throws(DurableFileError) { try calls.unlink(folder.partial(name)) } catch {
                        failure = error
                    }
                }
            }
            if let failure { throw .file(failure) }
        }
    }
}
