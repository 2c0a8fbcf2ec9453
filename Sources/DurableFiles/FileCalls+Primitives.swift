import Glibc

extension FileCalls {
    /// How a file is opened.
    package enum Opening: Sendable {
        /// To read; it must exist.
        case read
        /// To read and write.
        case update(creating: Bool)
        /// To read and write; it must not exist.
        case createNew
        /// To read and write; emptied when it exists.
        case createOrEmpty
        /// To write at the end; created when it does not exist.
        case append

        var flags: Int32 {
            switch self {
            case .read: O_RDONLY
            case .update(let creating): creating ? O_RDWR | O_CREAT : O_RDWR
            case .createNew: O_RDWR | O_CREAT | O_EXCL
            case .createOrEmpty: O_RDWR | O_CREAT | O_TRUNC
            case .append: O_WRONLY | O_CREAT | O_APPEND
            }
        }

        var operation: FileOperation {
            switch self {
            case .read, .update(creating: false): .open
            case .update(creating: true), .createNew, .createOrEmpty, .append: .create
            }
        }
    }

    /// A new file's `mode` is 0600: what the wearer said is nobody else's.
    package func open(
        _ path: String, _ opening: Opening, mode: mode_t = 0o600
    ) throws(DurableFileError) -> OpenFile {
        let handle = try make(FileCall(opening.operation, path)) { files.open(path, opening, mode: mode) }
        return OpenFile(path: path, handle: Int32(handle), calls: self)
    }

    /// The names in the folder are on the card when this returns.
    package func syncFolder(_ path: String) throws(DurableFileError) {
        try make(FileCall(.syncFolder, path)) { files.syncFolder(path) }
    }

    /// Replaces what `to` names, in one step.
    package func rename(_ from: String, _ to: String) throws(DurableFileError) {
        try make(FileCall(.rename, from, to: to)) { files.rename(from, to) }
    }

    /// Removes a name; one that is not there is as good as removed.
    package func unlink(_ path: String) throws(DurableFileError) {
        do {
            try make(FileCall(.unlink, path)) { files.unlink(path) }
        } catch  where error.isMissing {
            return
        }
    }

    /// Makes a folder and the missing ones above it, each durable in its parent before the next.
    ///
    /// One that is there already is synced in its parent as well: whoever made it may have been killed before that.
    package func makeFolders(_ path: String, mode: mode_t = 0o700) throws(DurableFileError) {
        let parent = folder(of: path)
        if try isFolder(path) {
            do {
                return try syncFolder(parent)
            } catch  where error.code == EACCES {
                // A parent that we may not open is one in which we have made nothing.
                return
            }
        }
        if parent != path { try makeFolders(parent, mode: mode) }
        do {
            try make(FileCall(.makeFolder, path)) { files.makeFolder(path, mode: mode) }
        } catch  where error.code == EEXIST {
            return
        }
        try syncFolder(parent)
    }

    /// False for a name that is not there; throws ENOTDIR for one that is something else.
    private func isFolder(_ path: String) throws(DurableFileError) -> Bool {
        let answer = files.isFolder(path)
        if answer < 0 { return false }
        guard answer == 1 else { throw DurableFileError(.makeFolder, path, ENOTDIR) }
        return true
    }

    /// The names in a folder, sorted, without `.` and `..`.
    package func list(_ path: String) throws(DurableFileError) -> [String] {
        var names: [String] = []
        try make(FileCall(.list, path)) {
            names = []
            return files.list(path, into: &names)
        }
        return names.sorted()
    }

    /// Bytes in the file.
    package func size(_ path: String) throws(DurableFileError) -> Int {
        try make(FileCall(.size, path)) { files.size(of: path) }
    }

    /// Everything in the file.
    package func contents(_ path: String) throws(DurableFileError) -> [UInt8] {
        let file = try open(path, .read)
        var bytes = [UInt8](repeating: 0, count: try file.size())
        var done = 0
        while done < bytes.count {
            var count = 0
            let failure = bytes.withUnsafeMutableBytes { (all) -> DurableFileError? in
                do throws(DurableFileError) {
                    count = try file.read(
                        into: UnsafeMutableRawBufferPointer(rebasing: all[done...]), at: done)
                    return nil
                } catch { return error }
            }
            if let failure { throw failure }
            if count == 0 { break }
            done += count
        }
        bytes.removeLast(bytes.count - done)
        return bytes
    }

    /// What an ordinary user may still write on the card that holds `path`, and the card's whole size, in bytes.
    package func space(_ path: String) throws(DurableFileError) -> (free: Int, total: Int) {
        var free = 0
        var total = 0
        try make(FileCall(.space, path)) { files.space(path, free: &free, total: &total) }
        return (free, total)
    }
}

/// The folder that holds `path`: `/a` of `/a/b`, `.` of `b`, `/` of `/`.
package func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}
