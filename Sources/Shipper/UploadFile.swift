import Glibc
import Sealing

/// A file of the outbox, open for reading; closed in `deinit`.
struct UploadFile: ~Copyable {
    let descriptor: Int32
    let path: String

    init(path: String) throws(ShipperError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else {
            if errno == ENOENT { throw .missing(path: path) }
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
    }

    deinit { close(descriptor) }

    /// Hands the whole file to `take`, 64 KiB at a time.
    borrowing func read(_ take: (UnsafeRawBufferPointer) -> Void) throws(ShipperError) {
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

    borrowing func digest() throws(ShipperError) -> Digest {
        var hash = SHA256()
        try read { hash.update($0) }
        return hash.finish()
    }
}
