import CSQLite
import DurableFiles
import Glibc
import TestSupport

extension SimulatedVFS {
    private static func file(_ pointer: UnsafeMutablePointer<sqlite3_file>?) -> DatabaseFile {
        guard let pointer,
            let file = pointer.withMemoryRebound(to: File.self, capacity: 1, { $0.pointee.file })
        else { preconditionFailure("SQLite gives back the files it was given") }
        return file.takeUnretainedValue()
    }

    private static func code(_ result: Int) -> Int32 {
        if result >= 0 { return SQLITE_OK }
        return result == Int(-ENOSPC) ? SQLITE_FULL : SQLITE_IOERR
    }

    static func fileMethods() -> sqlite3_io_methods {
        var methods = sqlite3_io_methods()
        methods.iVersion = 2
        methods.xClose = { pointer in
            let file = SimulatedVFS.file(pointer)
            file.on.disk.close(file.handle)
            file.shared.levels[file.id] = nil
            pointer?.withMemoryRebound(to: File.self, capacity: 1) { $0.pointee.file?.release() }
            pointer?.pointee.pMethods = nil
            return SQLITE_OK
        }
        methods.xRead = { pointer, buffer, count, offset in
            let file = SimulatedVFS.file(pointer)
            let room = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
            let result = file.on.make(.read, file.path) {
                file.on.disk.read(file.handle, into: room, at: Int(offset))
            }
            if result < 0 { return SQLITE_IOERR }
            guard result < room.count else { return SQLITE_OK }
            memset(sure(buffer) + result, 0, room.count - result)
            return Int32(522)  // SQLITE_IOERR_SHORT_READ, a macro of macros
        }
        methods.xWrite = { pointer, buffer, count, offset in
            let file = SimulatedVFS.file(pointer)
            let bytes = UnsafeRawBufferPointer(start: buffer, count: Int(count))
            let result = file.on.write(file, bytes, at: Int(offset))
            return result >= 0 && result < bytes.count ? SQLITE_FULL : SimulatedVFS.code(result)
        }
        methods.xTruncate = { pointer, size in
            let file = SimulatedVFS.file(pointer)
            return SimulatedVFS.code(
                file.on.make(.truncate, file.path) { file.on.disk.truncate(file.handle, to: Int(size)) })
        }
        methods.xSync = { pointer, _ in
            let file = SimulatedVFS.file(pointer)
            let result = file.on.make(.sync, file.path) {
                file.on.disk.sync(file.handle, dataOnly: false)
            }
            guard result >= 0, file.syncsFolder else { return SimulatedVFS.code(result) }
            let folder = folder(of: file.path)
            let synced = file.on.make(.syncFolder, folder) { file.on.disk.syncFolder(folder) }
            if synced >= 0 { file.syncsFolder = false }
            return SimulatedVFS.code(synced)
        }
        methods.xFileSize = { pointer, size in
            let file = SimulatedVFS.file(pointer)
            let result = file.on.make(.size, file.path) { file.on.disk.size(file.handle) }
            size?.pointee = sqlite3_int64(max(0, result))
            return SimulatedVFS.code(result)
        }
        methods.xLock = { pointer, level in SimulatedVFS.lock(SimulatedVFS.file(pointer), level) }
        methods.xUnlock = { pointer, level in
            let file = SimulatedVFS.file(pointer)
            file.shared.levels[file.id] = level
            return SQLITE_OK
        }
        methods.xCheckReservedLock = { pointer, answer in
            let file = SimulatedVFS.file(pointer)
            let held = file.shared.levels.contains { $0.key != file.id && $0.value >= SQLITE_LOCK_RESERVED }
            answer?.pointee = held ? 1 : 0
            return SQLITE_OK
        }
        methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        methods.xSectorSize = { _ in 4096 }
        // The disk tears within what was written and never beyond it.
        methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
        methods.xShmMap = { pointer, region, size, extends, out in
            let shared = SimulatedVFS.file(pointer).shared
            while extends != 0, shared.regions.count <= Int(region) {
                let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(size), alignment: 16)
                memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(size))
                shared.regions.append(memory)
            }
            let there = Int(region) < shared.regions.count
            out?.pointee = there ? UnsafeMutableRawPointer(shared.regions[Int(region)]) : nil
            return SQLITE_OK
        }
        methods.xShmLock = { pointer, first, count, flags in
            SimulatedVFS.lockIndex(SimulatedVFS.file(pointer), Int(first)..<Int(first + count), flags)
        }
        methods.xShmBarrier = { _ in }
        methods.xShmUnmap = { pointer, deletes in
            let file = SimulatedVFS.file(pointer)
            if deletes != 0 { file.on.forgetIndex(file.path) }
            return SQLITE_OK
        }
        return methods
    }

    private static func lock(_ file: DatabaseFile, _ level: Int32) -> Int32 {
        let shared = file.shared
        if shared.levels[file.id, default: 0] >= level { return SQLITE_OK }
        let others = shared.levels.filter { $0.key != file.id }.map(\.value).max() ?? 0
        let limit: Int32
        switch level {
        case SQLITE_LOCK_SHARED: limit = SQLITE_LOCK_PENDING
        case SQLITE_LOCK_RESERVED: limit = SQLITE_LOCK_RESERVED
        default: limit = SQLITE_LOCK_SHARED
        }
        guard others < limit else { return SQLITE_BUSY }
        shared.levels[file.id] = level
        return SQLITE_OK
    }

    private static func lockIndex(_ file: DatabaseFile, _ slots: Range<Int>, _ flags: Int32) -> Int32 {
        let shared = file.shared
        let unlocks = flags & SQLITE_SHM_UNLOCK != 0
        let exclusive = flags & SQLITE_SHM_EXCLUSIVE != 0
        if !unlocks {
            for slot in slots {
                let reading = exclusive && shared.readers[slot].contains { $0 != file.id }
                let writing = shared.writer[slot].map { $0 != file.id } ?? false
                if reading || writing { return SQLITE_BUSY }
            }
        }
        for slot in slots {
            switch (unlocks, exclusive) {
            case (false, true): shared.writer[slot] = file.id
            case (true, true): if shared.writer[slot] == file.id { shared.writer[slot] = nil }
            case (false, false): shared.readers[slot].append(file.id)
            case (true, false):
                if let index = shared.readers[slot].firstIndex(of: file.id) {
                    shared.readers[slot].remove(at: index)
                }
            }
        }
        return SQLITE_OK
    }
}
