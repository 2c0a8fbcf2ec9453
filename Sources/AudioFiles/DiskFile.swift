import Glibc

/// An open file that is read, and by salvage mended, at offsets. Closed when the value ends.
struct DiskFile: ~Copyable {
    let path: String
    private let descriptor: Int32

    init(_ path: String, writable: Bool) throws(AudioFileError) {
        let descriptor = Self.open(path, writable ? O_RDWR : O_RDONLY)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .missing(path: path) : Self.unreadable(path)
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// A descriptor, or -1 and `errno`. Nothing that is no ordinary file holds the call up.
    static func open(_ path: String, _ access: Int32) -> Int32 {
        while true {
            let descriptor = Glibc.open(path, access | O_CLOEXEC | O_NONBLOCK)
            if descriptor >= 0 || errno != EINTR { return descriptor }
        }
    }

    func length() throws(AudioFileError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.unreadable(path) }
        return Int(status.st_size)
    }

    /// Up to `count` bytes from `offset`; fewer only at the file's end.
    func bytes(at offset: Int, count: Int) throws(AudioFileError) -> [UInt8] {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableBufferPointer(rebasing: buffer[filled..<count])
                let got = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
                if got > 0 {
                    filled += got
                } else if got == 0 || errno != EINTR {
                    failed = got != 0
                    break
                }
            }
        }
        if failed { throw Self.unreadable(path) }
        return bytes
    }

    /// Whether every byte from `offset` to the end is zero.
    func isZero(from offset: Int) throws(AudioFileError) -> Bool {
        var offset = offset
        while true {
            let piece = try bytes(at: offset, count: 64 << 10)
            if piece.isEmpty { return true }
            if !piece.allSatisfy({ $0 == 0 }) { return false }
            offset += piece.count
        }
    }

    func overwrite(_ bytes: [UInt8], at offset: Int) throws(AudioFileError) {
        var done = 0
        while done < bytes.count {
            let put = bytes[done...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + done))
            }
            if put > 0 { done += put } else if errno != EINTR { throw Self.unreadable(path) }
        }
    }

    func truncate(to length: Int) throws(AudioFileError) {
        while ftruncate(descriptor, off_t(length)) != 0 {
            if errno != EINTR { throw Self.unreadable(path) }
        }
    }

    private static func unreadable(_ path: String) -> AudioFileError {
        .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
}
