import CFileSpace
import Glibc

/// The machine's own files. A handle is a file descriptor.
struct KernelFiles: FileSystem {
    /// `errno` is read at once: whatever comes between could change it.
    private func answer(_ result: Int) -> Int { result == -1 ? -Int(errno) : result }
    private func answer(_ result: Int32) -> Int { answer(Int(result)) }

    func open(_ path: String, _ opening: FileCalls.Opening, mode: mode_t) -> Int {
        answer(Glibc.open(path, opening.flags | O_CLOEXEC, mode))
    }

    func close(_ handle: Int32) { Glibc.close(handle) }

    func write(_ handle: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        answer(Glibc.write(handle, bytes.baseAddress, bytes.count))
    }

    func write(_ handle: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        answer(pwrite(handle, bytes.baseAddress, bytes.count, off_t(offset)))
    }

    func read(_ handle: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        answer(pread(handle, buffer.baseAddress, buffer.count, off_t(offset)))
    }

    func truncate(_ handle: Int32, to size: Int) -> Int { answer(ftruncate(handle, off_t(size))) }

    func reserve(_ handle: Int32, from offset: Int, length: Int) -> Int {
        answer(lapel_reserve(handle, off_t(offset), off_t(length)))
    }

    func sync(_ handle: Int32, dataOnly: Bool) -> Int {
        dataOnly ? answer(fdatasync(handle)) : answer(fsync(handle))
    }

    func size(_ handle: Int32) -> Int {
        var status = stat()
        let result = answer(fstat(handle, &status))
        return result < 0 ? result : Int(status.st_size)
    }

    func lock(_ handle: Int32) -> Int { answer(flock(handle, LOCK_EX | LOCK_NB)) }

    func syncFolder(_ path: String) -> Int {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor == -1 { return answer(descriptor) }
        let result = answer(fsync(descriptor))
        Glibc.close(descriptor)
        return result
    }

    func rename(_ from: String, _ to: String) -> Int { answer(Glibc.rename(from, to)) }

    func unlink(_ path: String) -> Int { answer(Glibc.unlink(path)) }

    func makeFolder(_ path: String, mode: mode_t) -> Int { answer(mkdir(path, mode)) }

    func isFolder(_ path: String) -> Int {
        var status = stat()
        let result = answer(stat(path, &status))
        return result < 0 ? result : status.st_mode & S_IFMT == S_IFDIR ? 1 : 0
    }

    func list(_ path: String, into names: inout [String]) -> Int {
        guard let folder = opendir(path) else { return answer(-1) }
        defer { closedir(folder) }
        errno = 0
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
            errno = 0
        }
        return -Int(errno)
    }

    func size(of path: String) -> Int {
        var status = stat()
        let result = answer(stat(path, &status))
        return result < 0 ? result : Int(status.st_size)
    }

    func space(_ path: String, free: inout Int, total: inout Int) -> Int {
        var status = statvfs()
        let result = answer(statvfs(path, &status))
        guard result == 0 else { return result }
        let block = Int(status.f_frsize)
        free = Int(status.f_bavail) * block
        total = Int(status.f_blocks) * block
        return 0
    }
}
