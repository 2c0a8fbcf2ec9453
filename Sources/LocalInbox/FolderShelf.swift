import Catalogue
import DurableFiles
import Synchronization

// Order of `put`
//  1. The folder for the hash, made durably when this program has not seen it yet.
//  2. Rename.
//  3. Sync that folder.

/// A shelf that is a folder: `<2 hex>/<sha256>.<ext>`, 256 subfolders to keep each one short.
package final class FolderShelf: Shelf {
    private let path: String
    private let calls: FileCalls
    /// Subfolders that this program has found or made durably.
    private let known = Mutex<Set<String>>([])

    /// `path` is there.
    package init(_ path: String, calls: FileCalls = .system) {
        self.path = path
        self.calls = calls
    }

    package var isLocal: Bool { true }

    package func place(of name: ShelfName) -> String {
        subfolder(of: name) + "/" + name.sha256 + "." + name.ext
    }

    package func put(_ path: String, as name: ShelfName) throws(StoreError) {
        try said { () throws(DurableFileError) in
            let subfolder = subfolder(of: name)
            if !known.withLock({ $0.contains(subfolder) }) {
                try calls.makeFolders(subfolder)
                known.withLock { _ = $0.insert(subfolder) }
            }
            try calls.rename(path, place(of: name))
            try calls.syncFolder(subfolder)
        }
    }

    package func settle(_ name: ShelfName) throws(StoreError) {
        try said { () throws(DurableFileError) in
            try calls.open(place(of: name), .update(creating: false)).sync()
            try calls.makeFolders(subfolder(of: name))
            try calls.syncFolder(subfolder(of: name))
        }
    }

    package func open(_ name: ShelfName) throws(StoreError) -> ShelvedObject {
        try said { () throws(DurableFileError) in
            let shared = SharedFile(try calls.open(place(of: name), .read))
            return ShelvedObject(size: try shared.file.size()) { buffer, offset throws(StoreError) in
                try said { () throws(DurableFileError) in try shared.file.read(into: buffer, at: offset) }
            }
        }
    }

    package func size(of name: ShelfName) throws(StoreError) -> Int? {
        try said { () throws(DurableFileError) in
            do throws(DurableFileError) { return try calls.size(place(of: name)) } catch {
                guard error.isMissing else { throw error }
                return nil
            }
        }
    }

    package func remove(_ name: ShelfName) throws(StoreError) {
        try said { () throws(DurableFileError) in
            try calls.unlink(place(of: name))
            do throws(DurableFileError) { try calls.syncFolder(subfolder(of: name)) } catch {
                // A subfolder that was never made holds nothing.
                guard error.isMissing else { throw error }
            }
        }
    }

    package func places() throws(StoreError) -> [String] {
        try said { () throws(DurableFileError) in
            var places: [String] = []
            for subfolder in try calls.list(path) {
                for name in try calls.list(path + "/" + subfolder) {
                    places.append(path + "/" + subfolder + "/" + name)
                }
            }
            return places
        }
    }

    private func subfolder(of name: ShelfName) -> String { path + "/" + name.sha256.prefix(2) }
}

/// An open file for everybody who reads the object.
private final class SharedFile: Sendable {
    let file: OpenFile

    init(_ file: consuming OpenFile) { self.file = file }
}

/// Runs work on files, and says its errors as the shelf's.
private func said<Result>(
    _ body: () throws(DurableFileError) -> Result
) throws(StoreError) -> Result {
    do throws(DurableFileError) { return try body() } catch {
        throw StoreError(error.description, isFull: error.isCardFull)
    }
}
