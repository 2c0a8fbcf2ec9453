import DurableFiles
import Glibc
import Synchronization

/// Records the calls an outbox makes, and interferes with them.
final class CallLog: Sendable {
    typealias Rule = @Sendable (_ index: Int, _ call: FileCall) -> FileCalls.Interference?

    private let made = Mutex<[FileCall]>([])
    private let rule: Rule

    init(_ rule: @escaping Rule = { _, _ in nil }) { self.rule = rule }

    /// Syncs that do nothing: a file system that goes on needs none.
    static var quick: FileCalls { CallLog(dyingAt: .max).calls }

    /// The process dies just before its `k`-th call (from 0): that one and all after it are not made.
    convenience init(dyingAt k: Int) {
        self.init { index, call in index >= k ? .fail(ECANCELED) : Self.skipped(call) }
    }

    /// As above, but of a write that it dies in, half arrives.
    convenience init(tornAt k: Int, after bytes: Int) {
        self.init { index, call in
            if index < k { return Self.skipped(call) }
            return index == k ? .tear(after: bytes, ECANCELED) : .fail(ECANCELED)
        }
    }

    private static func skipped(_ call: FileCall) -> FileCalls.Interference? {
        switch call.operation {
        case .sync, .syncData, .syncFolder: .skip
        case .open, .create, .write, .read, .truncate, .reserve, .rename, .unlink, .makeFolder, .list, .size,
            .space, .lock:
            nil
        }
    }

    var calls: FileCalls {
        FileCalls { [self] call in
            let index = made.withLock { made in
                made.append(call)
                return made.count - 1
            }
            return rule(index, call)
        }
    }

    var count: Int { made.withLock { $0.count } }

    /// What was called since the last `take`, as `sync rec/N.opus`: without the outbox's path, its names as `N`.
    func take(_ directory: String) -> [String] {
        let calls = made.withLock { made in
            defer { made = [] }
            return made
        }
        return calls.map { call in
            ([call.operation.rawValue, call.path] + (call.to.map { [$0] } ?? [])).map {
                short($0, directory)
            }.joined(separator: " ")
        }
    }

    private func short(_ path: String, _ directory: String) -> String {
        guard path.hasPrefix(directory) else { return path }
        let inside = path.dropFirst(directory.utf8.count + 1)
        guard let slash = inside.firstIndex(of: "/") else { return inside.isEmpty ? "." : String(inside) }
        let file = inside[inside.index(after: slash)...]
        return String(inside[...slash]) + (file.utf8.count > 43 ? "N" + file.dropFirst(43) : file)
    }
}
