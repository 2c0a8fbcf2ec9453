import Glibc

/// A call on the file system that did not work: which, on what, and the kernel's reason.
package struct DurableFileError: Error, Equatable, Sendable, CustomStringConvertible {
    package let operation: FileOperation
    package let path: String
    /// `errno`.
    package let code: Int32

    package init(_ operation: FileOperation, _ path: String, _ code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// A file with that name is there already (EEXIST).
    package static let exists = EEXIST
    /// What was read back is not what was written (EIO).
    package static let damaged = EIO

    /// The card has no room: ENOSPC, or EDQUOT.
    package var isCardFull: Bool { code == ENOSPC || code == EDQUOT }

    /// There is no such file.
    package var isMissing: Bool { code == ENOENT }

    package var description: String {
        let what = "Could not \(operation.verb) \(path)"
        switch code {
        case ENOSPC, EDQUOT: return "\(what): the card is full; free some space on it."
        case EIO: return "\(what): the card reports errors; copy what is on it and replace it."
        case EROFS:
            return "\(what): the card is read-only; check its lock switch, or replace it when it is worn out."
        case EACCES, EPERM: return "\(what): permission denied; check who owns it."
        default: return "\(what): \(String(cString: strerror(code))) (\(code))."
        }
    }
}

/// The calls on the file system that the program makes where durability matters.
package enum FileOperation: String, Hashable, Sendable, CaseIterable {
    case open, create, write, read, truncate, reserve, sync, syncData, rename, unlink, makeFolder,
        syncFolder, list, size, space, lock

    /// For a sentence: "Could not … PATH".
    package var verb: String {
        switch self {
        case .open, .create, .write, .read, .rename, .list, .lock: rawValue
        case .truncate: "cut"
        case .reserve: "reserve space for"
        case .sync, .syncData: "bring to the card"
        case .unlink: "remove"
        case .makeFolder: "make the folder"
        case .syncFolder: "bring to the card the folder"
        case .size: "look at"
        case .space: "ask for the free space of"
        }
    }
}
