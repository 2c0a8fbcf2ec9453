import Foundation

/// Sees what programs do by their files: it sleeps until one changes below `root`, then looks again.
struct Watch: Sendable {
    let root: String

    /// Looks until `look` sees something. Throws `Broken` after `seconds`, and whatever `look` throws.
    @discardableResult
    func until<R: Sendable>(
        _ what: String, within seconds: Int = 300, _ look: @escaping @Sendable () throws -> R?
    ) async throws -> R {
        let root = root
        return try await onOwnThread {
            let changes = inotify_init1(Int32(IN_CLOEXEC))
            guard changes >= 0 else { throw Broken("inotify: \(String(cString: strerror(errno)))") }
            defer { close(changes) }
            let start = ContinuousClock.now
            while true {
                // A folder is watched before it is looked at, so no change is missed between the two.
                follow(root, by: changes)
                if let seen = try look() { return seen }
                let left = .seconds(seconds) - (ContinuousClock.now - start)
                var one = pollfd(fd: changes, events: Int16(POLLIN), revents: 0)
                guard left > .zero, poll(&one, 1, Int32(left.components.seconds * 1000 + 1)) > 0 else {
                    throw Broken("not seen within \(seconds) s: \(what)")
                }
                var events = [UInt8](repeating: 0, count: 64 << 10)
                _ = read(changes, &events, events.count)
            }
        }
    }
}

/// Watches this folder and all below it. To watch one again changes nothing.
private func follow(_ folder: String, by changes: Int32) {
    let what = IN_CREATE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
    guard inotify_add_watch(changes, folder, UInt32(what) | UInt32(IN_ONLYDIR)) >= 0 else { return }
    for name in folderEntries(folder) { follow(folder + "/" + name, by: changes) }
}

/// The names in a folder; none when there is no such folder.
func folderEntries(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
}
