import Catalogue
import Glibc
import Synchronization

/// A shelf in memory, for tests. Records what was put and removed.
package final class MemoryShelf: Shelf {
    package enum Change: Equatable, Sendable {
        case put(ShelfName)
        case removed(ShelfName)
    }

    private struct Contents: Sendable {
        var objects: [ShelfName: [UInt8]] = [:]
        var changes: [Change] = []
    }

    private let contents = Mutex(Contents())

    package init() {}

    /// In their order; a removal of nothing is none.
    package var changes: [Change] { contents.withLock { $0.changes } }

    package var isLocal: Bool { false }

    package func place(of name: ShelfName) -> String { "memory:" + name.sha256 + "." + name.ext }

    package func put(_ path: String, as name: ShelfName) throws(StoreError) {
        let bytes = try Self.bytes(of: path)
        contents.withLock {
            $0.objects[name] = bytes
            $0.changes.append(.put(name))
        }
        unlink(path)
    }

    package func settle(_ name: ShelfName) throws(StoreError) { _ = try open(name) }

    package func open(_ name: ShelfName) throws(StoreError) -> ShelvedObject {
        guard let bytes = contents.withLock({ $0.objects[name] }) else {
            throw StoreError("\(place(of: name)) is not there.")
        }
        return ShelvedObject(size: bytes.count) { buffer, offset in
            let count = max(0, min(buffer.count, bytes.count - offset))
            bytes.withUnsafeBytes {
                buffer.copyMemory(from: .init(rebasing: $0[min(offset, bytes.count)...].prefix(count)))
            }
            return count
        }
    }

    package func size(of name: ShelfName) throws(StoreError) -> Int? {
        contents.withLock { $0.objects[name]?.count }
    }

    package func remove(_ name: ShelfName) throws(StoreError) {
        contents.withLock {
            if $0.objects.removeValue(forKey: name) != nil { $0.changes.append(.removed(name)) }
        }
    }

    package func places() throws(StoreError) -> [String] {
        contents.withLock { $0.objects.keys.map { place(of: $0) } }
    }

    private static func bytes(of path: String) throws(StoreError) -> [UInt8] {
        guard let file = fopen(path, "re") else {
            throw StoreError("Could not read \(path): \(String(cString: strerror(errno))).")
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }
}
