import Glibc

/// Wakes when something appears in the folder of a path, or in the folder above while that one is missing.
///
/// A `/dev/input/by-path` goes with its last device, and udev gives a new file to its group after it was made: so
/// new names and new rights both count.
final class FolderWatch: Sendable {
    /// Readable after a change. Minus one when the kernel gives none: then only time helps.
    let descriptor: Int32

    init(of path: String) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        var folder = path[...]
        for _ in 0..<2 {
            guard descriptor >= 0, let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else {
                return
            }
            folder = folder[..<slash]
            _ = inotify_add_watch(descriptor, String(folder), UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB))
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
