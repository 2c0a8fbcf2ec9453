import DurableFiles
import Sealing
import Wire

// The commit, in this order; audio and manifest are whole and synced before.
// 1. Rename the audio into `out/`. (Start-up finds it without a manifest there and goes on.)
// 2. Rename the manifest into `out/`: the commit point. Whoever looks into `out/` finds whole items only.
// 3. Unlink the head manifest, which nobody needs now; keep the tail journal of a sealed one for the next recording.
// 4. fsync `out/`, then `rec/`: the new names are on the card before the old ones are gone from it.
// Only then may the wearer be told.

/// Moves a finished recording's files from `place` (`rec` or `out`) to where they wait.
func commitFiles(
    _ name: ItemName, _ form: Form, from place: Layout.Place, layout: Layout, calls: FileCalls,
    committed: () -> Void = {}
) throws(DurableFileError) {
    if place != .out { try calls.rename(layout.audio(place, name, form), layout.audio(.out, name, form)) }
    try calls.rename(
        layout.manifest(.rec, name, sealed: form.sealed), layout.manifest(.out, name, sealed: form.sealed))
    committed()
    try calls.unlink(layout.head(name, sealed: form.sealed))
    if form.sealed { try calls.retireTail(of: name, layout) }
    try calls.syncFolder(layout.folder(.out))
    try calls.syncFolder(layout.folder(.rec))
}

extension FileCalls {
    /// The tail journal waits for the next recording, so that its blocks need not be written first.
    func retireTail(of name: ItemName, _ layout: Layout) throws(DurableFileError) {
        do {
            try rename(layout.tail(.rec, name), layout.spareTail)
        } catch  where error.isMissing {
            return
        }
    }
}

/// The SHA-256 of a file and its length, read in pieces of 64 KiB.
func digest(of file: borrowing OpenFile) throws(DurableFileError) -> (digest: Digest, bytes: Int) {
    var hash = SHA256()
    let bytes = try readPieces(of: file) { (piece, _) throws(DurableFileError) in hash.update(piece) }
    return (hash.finish(), bytes)
}

/// Hands a file's bytes to `body`, piece by piece with each one's offset, up to `limit`; the number of bytes in all.
@discardableResult
func readPieces(
    of file: borrowing OpenFile, upTo limit: Int = .max,
    _ body: (UnsafeRawBufferPointer, Int) throws(DurableFileError) -> Void
) throws(DurableFileError) -> Int {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while offset < limit {
        let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, limit - offset)])
        let count = try file.read(into: wanted, at: offset)
        if count == 0 { break }
        try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]), offset)
        offset += count
    }
    return offset
}
