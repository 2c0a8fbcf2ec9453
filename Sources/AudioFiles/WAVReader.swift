import Glibc

/// Reads a WAV file's samples block by block, so that a recording of hours takes no more memory than one of
/// seconds. Every sample becomes 16 bit, rounded to the nearest; float beyond full scale is held at it.
package struct WAVReader: ~Copyable {
    package let header: WAVHeader
    private let path: String
    private let file: Int32
    /// Frames read so far.
    private var position = 0

    package init(path: String) throws(AudioFileError) {
        let file = DiskFile.open(path, O_RDONLY)
        guard file >= 0 else {
            throw errno == ENOENT
                ? .missing(path: path) : .unreadable(path: path, reason: Self.systemReason())
        }
        let header: WAVHeader
        do {
            header = try Self.header(of: file, path: path)
        } catch {
            close(file)
            throw error
        }
        self.header = header
        self.path = path
        self.file = file
    }

    deinit { close(file) }

    /// The next frames, interleaved; empty at the end.
    package mutating func read(frames wanted: Int) throws(AudioFileError) -> [Int16] {
        let count = max(0, min(wanted, header.frames - position))
        let size = header.bytesPerFrame
        let bytes = try Self.bytes(
            of: file, at: header.dataOffset + position * size, count: count * size, path: path)
        // A file that shrank since it was opened ends here.
        let whole = bytes.count / size
        position = whole < count ? header.frames : position + whole
        return header.decode(bytes[..<(whole * size)])
    }

    private static func header(of file: Int32, path: String) throws(AudioFileError) -> WAVHeader {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .unreadable(path: path, reason: systemReason()) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .unreadable(path: path, reason: "it is a folder")
        default: throw .unreadable(path: path, reason: "it is no ordinary file")
        }
        return try WAVHeader(path: path, length: Int(status.st_size)) {
            (offset, count) throws(AudioFileError) in
            try bytes(of: file, at: offset, count: count, path: path)
        }
    }

    private static func bytes(
        of file: Int32, at offset: Int, count: Int, path: String
    ) throws(AudioFileError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableBufferPointer(rebasing: buffer[filled..<count])
                let got = pread(file, rest.baseAddress, rest.count, off_t(offset + filled))
                if got > 0 {
                    filled += got
                } else if got == 0 {
                    break
                } else if errno != EINTR {
                    failure = errno
                    break
                }
            }
        }
        guard failure == 0 else { throw .unreadable(path: path, reason: String(cString: strerror(failure))) }
        return bytes
    }

    private static func systemReason() -> String { String(cString: strerror(errno)) }
}
