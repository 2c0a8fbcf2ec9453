import CSQLite
import DurableFiles
import Glibc

/// SQLite's file layer (https://www.sqlite.org/vfs.html) over simulated disks.
enum SimulatedVFS {
    private struct Parts: @unchecked Sendable {
        let original: UnsafeMutablePointer<sqlite3_vfs>
        let ours: UnsafeMutablePointer<sqlite3_vfs>
        let methods: UnsafeMutablePointer<sqlite3_io_methods>
    }

    /// What SQLite allocates for a file of ours.
    struct File {
        var base: sqlite3_file
        var file: Unmanaged<DatabaseFile>?
    }

    /// Registers the layer once for the process. Files elsewhere go on through SQLite's own.
    static let registered: Bool = {
        sqlite3_vfs_register(parts.ours, 1) == SQLITE_OK
    }()

    static var original: UnsafeMutablePointer<sqlite3_vfs> { parts.original }
    static var methods: UnsafeMutablePointer<sqlite3_io_methods> { parts.methods }

    private static let parts: Parts = {
        guard let original = sqlite3_vfs_find(nil) else { preconditionFailure("SQLite has a file layer") }
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: fileMethods())
        let ours = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        ours.initialize(to: original.pointee)
        ours.pointee.pNext = nil
        ours.pointee.zName = UnsafePointer(strdup("simulated"))
        ours.pointee.szOsFile = max(original.pointee.szOsFile, Int32(MemoryLayout<File>.size))
        ours.pointee.xOpen = { _, name, file, flags, out in
            SimulatedVFS.open(name, file, flags, out)
        }
        ours.pointee.xDelete = { _, name, syncs in
            SimulatedVFS.delete(name, syncs)
        }
        ours.pointee.xAccess = { _, name, flags, answer in
            SimulatedVFS.access(name, flags, answer)
        }
        ours.pointee.xFullPathname = { _, name, count, out in
            guard let name, let out, name.pointee == 47, DatabaseDisks.disk(of: String(cString: name)) != nil
            else {
                return SimulatedVFS.original.pointee.xFullPathname(SimulatedVFS.original, name, count, out)
            }
            strncpy(out, name, Int(count))
            return SQLITE_OK
        }
        return Parts(original: original, ours: ours, methods: methods)
    }()

    private static func open(
        _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
        _ out: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        let path = name.map { String(cString: $0) } ?? ""
        guard let file, let disk = DatabaseDisks.disk(of: path) else {
            return original.pointee.xOpen(original, name, file, flags, out)
        }
        file.pointee.pMethods = nil
        let creating = flags & SQLITE_OPEN_CREATE != 0
        let opening: FileCalls.Opening = .update(creating: creating)
        let handle = disk.make(creating ? .create : .open, path) {
            disk.disk.open(path, opening, mode: 0o600)
        }
        guard handle >= 0 else { return SQLITE_CANTOPEN }
        let journal = SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL
        let opened = DatabaseFile(
            on: disk, path: path, handle: Int32(handle), syncsFolder: creating && flags & journal != 0)
        file.withMemoryRebound(to: File.self, capacity: 1) {
            $0.pointee.file = Unmanaged.passRetained(opened)
        }
        file.pointee.pMethods = UnsafePointer(methods)
        out?.pointee = flags
        return SQLITE_OK
    }

    private static func delete(_ name: UnsafePointer<CChar>?, _ syncs: Int32) -> Int32 {
        let path = name.map { String(cString: $0) } ?? ""
        guard let disk = DatabaseDisks.disk(of: path) else {
            return original.pointee.xDelete(original, name, syncs)
        }
        let result = disk.make(.unlink, path) { disk.disk.unlink(path) }
        if result == Int(-ENOENT) { return Int32(5898) }  // SQLITE_IOERR_DELETE_NOENT, a macro of macros
        guard result >= 0 else { return SQLITE_IOERR }
        guard syncs != 0 else { return SQLITE_OK }
        let folder = folder(of: path)
        return disk.make(.syncFolder, folder) { disk.disk.syncFolder(folder) } < 0 ? SQLITE_IOERR : SQLITE_OK
    }

    private static func access(
        _ name: UnsafePointer<CChar>?, _ flags: Int32, _ answer: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        let path = name.map { String(cString: $0) } ?? ""
        guard let disk = DatabaseDisks.disk(of: path) else {
            return original.pointee.xAccess(original, name, flags, answer)
        }
        let size = disk.make(.size, path) { disk.disk.size(of: path) }
        if size < 0, size != Int(-ENOENT) { return SQLITE_IOERR }
        // As in SQLite's own: an empty journal is as good as none.
        let exists = size >= 0 && (flags != SQLITE_ACCESS_EXISTS || size > 0)
        answer?.pointee = exists ? 1 : 0
        return SQLITE_OK
    }
}
