// Invariants of a shelf
//  1. An object is there whole or not at all, and is never changed: its name is the hash of its bytes.
//  2. What `put`, `settle` and `remove` have returned of holds through a power cut.
//  3. A shelf knows nothing of a catalogue. Which of the two is written first is `Inbox`'s business: the row that says
//     whose an object is must not be younger on the disk than the object's name, so whoever puts settles first.

/// What an object on a shelf is called.
package struct ShelfName: Hashable, Sendable {
    /// Of its bytes, 64 lower-case hexadecimal digits.
    package let sha256: String
    /// What kind of file it is, for people who copy it: `opus`, `opus.age`.
    package let ext: String

    package init(sha256: String, ext: String) {
        self.sha256 = sha256
        self.ext = ext
    }
}

/// An object that is open to be read. Copies read the same object; it is closed when the last one ends.
package struct ShelvedObject: Sendable {
    /// Bytes.
    package let size: Int
    private let reading: @Sendable (UnsafeMutableRawBufferPointer, Int) throws(StoreError) -> Int

    package init(
        size: Int,
        reading: @escaping @Sendable (UnsafeMutableRawBufferPointer, Int) throws(StoreError) -> Int
    ) {
        self.size = size
        self.reading = reading
    }

    /// Reads from `offset` on; the number of bytes read, 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreError) -> Int {
        try reading(buffer, offset)
    }
}

/// Whole objects under their hash. Used by several threads at once.
package protocol Shelf: Sendable {
    /// Puts the local file at `path`, whose bytes were hashed, found right and synced, under its name; `path` is gone
    /// then. The same object may be there already: it stays one. After an error the file is at `path` or in its place.
    func put(_ path: String, as name: ShelfName) throws(StoreError)

    /// Makes durable what stands under a name: a crash may have come before the `put` of it returned. Throws when
    /// nothing stands there.
    func settle(_ name: ShelfName) throws(StoreError)

    /// To be read, by random access. Throws when nothing stands there.
    func open(_ name: ShelfName) throws(StoreError) -> ShelvedObject

    /// Bytes; nil when nothing stands there.
    func size(of name: ShelfName) throws(StoreError) -> Int?

    /// One that is not there is as good as removed.
    func remove(_ name: ShelfName) throws(StoreError)

    /// Where a person finds an object: a path, or whatever the shelf is addressed by. Asks nobody.
    func place(of name: ShelfName) -> String

    /// The places of everything that stands there, strangers' objects among them, in no order.
    func places() throws(StoreError) -> [String]

    /// Places are paths by which this machine reads the objects.
    var isLocal: Bool { get }
}
