import Catalogue
import DurableFiles

/// Where the bytes of an upload stand.
enum ByteSource: Equatable, Sendable {
    /// A file in incoming/, by its path.
    case incoming(String)
    case shelf(ShelfName)
}

/// A source that is open to be read by random access.
enum OpenSource: ~Copyable {
    case file(OpenFile)
    case object(ShelvedObject)

    /// The number of bytes read, 0 at the end. Throws `file`, `store`.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(InboxError) -> Int {
        switch self {
        case .file(let file):
            do throws(DurableFileError) { return try file.read(into: buffer, at: offset) } catch {
                throw .file(error)
            }
        case .object(let object):
            do throws(StoreError) { return try object.read(into: buffer, at: offset) } catch {
                throw .store(error)
            }
        }
    }
}

extension Inbox {
    /// Throws `file`, `store`.
    func open(_ source: ByteSource) throws(InboxError) -> OpenSource {
        switch source {
        case .incoming(let path):
            do throws(DurableFileError) { return .file(try calls.open(path, .read)) } catch {
                throw .file(error)
            }
        case .shelf(let name):
            do throws(StoreError) { return .object(try shelf.open(name)) } catch { throw .store(error) }
        }
    }

    /// Reads a source from its begin to its end, 256 kB in memory at a time.
    func pieces(of source: ByteSource, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let bytes = try open(source)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var done = 0
        while true {
            let count = try bytes.read(into: buffer, at: done)
            if count == 0 { return }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            done += count
        }
    }

    /// Its first bytes, as many as it has of `most`.
    func beginning(of source: ByteSource, most: Int) throws(InboxError) -> [UInt8] {
        let opened = try open(source)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: most, alignment: 16)
        defer { buffer.deallocate() }
        var done = 0
        while done < most {
            let count = try opened.read(into: .init(rebasing: buffer[done...]), at: done)
            if count == 0 { break }
            done += count
        }
        return Array(buffer[..<done])
    }
}
