import Glibc

/// The bytes of a request, read as libcurl asks for them; a file is never in memory as a whole.
package final class RequestBody {
    private enum Source {
        case bytes([UInt8])
        /// Borrowed: whoever made the body keeps the descriptor open.
        case file(descriptor: Int32, path: String, from: Int)
    }

    private let source: Source
    let length: Int
    private var position = 0
    /// Why the file could not be read to the end of the body.
    private(set) var trouble: HostLinkError?

    /// Bytes in memory.
    package init(_ bytes: [UInt8]) {
        source = .bytes(bytes)
        length = bytes.count
    }

    /// `length` bytes of a file from `offset` on; `path` names it in an error. The descriptor is borrowed until the request is answered.
    package init(descriptor: Int32, path: String, from offset: Int, length: Int) {
        source = .file(descriptor: descriptor, path: path, from: offset)
        self.length = length
    }

    /// The next bytes, at most as many as there is room; 0 at the end; nil after trouble.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
        let count = min(room.count, length - position)
        guard count > 0, let base = room.baseAddress else { return 0 }
        switch source {
        case .bytes(let bytes):
            bytes.withUnsafeBytes {
                room.copyMemory(from: .init(rebasing: $0[position..<(position + count)]))
            }
            position += count
            return count
        case .file(let descriptor, let path, let start):
            var n = pread(descriptor, base, count, off_t(start + position))
            while n < 0 && errno == EINTR { n = pread(descriptor, base, count, off_t(start + position)) }
            guard n > 0 else {
                let reason = n < 0 ? String(cString: strerror(errno)) : "it became shorter"
                trouble = .unreadable(path: path, reason: reason)
                return nil
            }
            position += n
            return n
        }
    }

    /// libcurl sends again from here, after a reused connection turned out to be dead.
    func seek(to offset: Int) -> Bool {
        guard (0...length).contains(offset) else { return false }
        position = offset
        return true
    }
}
