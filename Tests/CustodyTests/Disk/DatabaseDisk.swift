import CSQLite
import DurableFiles
import Glibc
import Synchronization

/// The simulated disks that SQLite reaches, by the first two parts of a path: `/simulated/7`.
///
/// SQLite gets a default file layer that sends paths under `/simulated` here and everything else to its own.
enum DatabaseDisks {
    static let root = "/simulated/"
    private static let mounted = Mutex<[String: DatabaseDisk]>([:])

    static func mount(_ number: Int, _ disk: DatabaseDisk) {
        _ = SimulatedVFS.registered
        mounted.withLock { $0[String(number)] = disk }
    }

    static func unmount(_ number: Int) { mounted.withLock { _ = $0.removeValue(forKey: String(number)) } }

    static func disk(of path: String) -> DatabaseDisk? {
        guard path.hasPrefix(root) else { return nil }
        let number = path.dropFirst(root.utf8.count).prefix { $0 != "/" }
        return mounted.withLock { $0[String(number)] }
    }
}

/// What one run of a program shares between its connections to databases on one disk: the disk, the locks on files,
/// the index of the write-ahead log. Used by one thread at a time, as the disk is.
final class DatabaseDisk: @unchecked Sendable {
    typealias Gate = (FileCall) -> FileCalls.Interference?

    /// Locks and shared memory of one file.
    final class Shared {
        /// `SQLITE_LOCK_…` by connection.
        var levels: [ObjectIdentifier: Int32] = [:]
        var regions: [UnsafeMutableRawPointer] = []
        var readers: [[ObjectIdentifier]] = Array(repeating: [], count: Int(SQLITE_SHM_NLOCK))
        var writer: [ObjectIdentifier?] = Array(repeating: nil, count: Int(SQLITE_SHM_NLOCK))

        deinit { for region in regions { region.deallocate() } }
    }

    let disk: SimulatedDisk
    private let gate: Gate
    private var shared: [String: Shared] = [:]

    init(_ disk: SimulatedDisk, gate: @escaping Gate) {
        self.disk = disk
        self.gate = gate
    }

    func shared(_ path: String) -> Shared {
        if let known = shared[path] { return known }
        let made = Shared()
        shared[path] = made
        return made
    }

    /// The index is rebuilt by whoever opens the file next.
    func forgetIndex(_ path: String) {
        guard let known = shared[path] else { return }
        for region in known.regions { region.deallocate() }
        known.regions = []
    }

    /// Makes a call unless the gate has something against it: 0 or a count, or −errno.
    func make(_ operation: FileOperation, _ path: String, _ body: () -> Int) -> Int {
        switch gate(FileCall(operation, path)) {
        case nil: body()
        case .skip: 0
        case .fail(let code), .tear(_, let code): Int(-code)
        }
    }

    /// A write may be torn.
    func write(_ file: DatabaseFile, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        switch gate(FileCall(.write, file.path)) {
        case nil: return disk.write(file.handle, bytes, at: offset)
        case .skip: return bytes.count
        case .fail(let code): return Int(-code)
        case .tear(let after, let code):
            let some = UnsafeRawBufferPointer(rebasing: bytes[..<min(after, bytes.count)])
            _ = disk.write(file.handle, some, at: offset)
            return Int(-code)
        }
    }
}

/// One connection's open file.
final class DatabaseFile {
    let on: DatabaseDisk
    let path: String
    let handle: Int32
    /// A new log's name is brought to the card with its first sync, as SQLite's own layer does.
    var syncsFolder: Bool

    init(on disk: DatabaseDisk, path: String, handle: Int32, syncsFolder: Bool) {
        on = disk
        self.path = path
        self.handle = handle
        self.syncsFolder = syncsFolder
    }

    var id: ObjectIdentifier { ObjectIdentifier(self) }
    var shared: DatabaseDisk.Shared { on.shared(path) }
}
