import Glibc
import HostLink
import Sealing

/// The bytes of one cargo while it is delivered; a file is open only so long, and closed in `deinit`.
struct CargoReader: ~Copyable {
    /// Of a cargo in memory.
    private let bytes: [UInt8]
    /// Of a cargo in a file; -1 for one in memory.
    private let descriptor: Int32
    private let path: String

    /// A cargo in memory.
    init(bytes: [UInt8]) {
        self.bytes = bytes
        descriptor = -1
        path = ""
    }

    /// A cargo in a file.
    init(path: String) throws(ShipperError) {
        var descriptor: Int32
        repeat { descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC) } while descriptor < 0 && errno == EINTR
        let error = errno
        bytes = []
        self.descriptor = descriptor
        self.path = path
        guard descriptor < 0 else { return }
        throw error == ENOENT
            ? .missing(path: path) : .unreadable(path: path, reason: String(cString: strerror(error)))
    }

    static func open(_ source: Cargo.Source) throws(ShipperError) -> CargoReader {
        switch source {
        case .memory(let bytes): CargoReader(bytes: bytes)
        case .file(let path): try CargoReader(path: path)
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// `length` bytes from `offset` on. The reader outlives the body.
    borrowing func body(from offset: Int, length: Int) -> RequestBody {
        guard descriptor >= 0 else { return RequestBody(Array(bytes[offset..<(offset + length)])) }
        return RequestBody(descriptor: descriptor, path: path, from: offset, length: length)
    }

    /// Of all bytes as they are now.
    borrowing func digest() throws(ShipperError) -> Digest {
        var hash = SHA256()
        try read { hash.update($0) }
        return hash.finish()
    }

    /// Hands all bytes to `take`, a file 64 KiB at a time.
    borrowing func read(_ take: (UnsafeRawBufferPointer) -> Void) throws(ShipperError) {
        guard descriptor >= 0 else { return bytes.withUnsafeBytes { take($0) } }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var offset = 0
        while true {
            let n = pread(descriptor, &buffer, buffer.count, off_t(offset))
            if n < 0 && errno == EINTR { continue }
            guard n >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
            if n == 0 { return }
            buffer.withUnsafeBytes { take(.init(rebasing: $0[..<n])) }
            offset += n
        }
    }
}
