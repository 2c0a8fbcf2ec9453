import Glibc

// Invariants
// 1. At every instant `path` names the whole old file, or the whole new one, or nothing when there was none.
// 2. When `replace` returns, the new one survives a power cut.
// 3. What a crash leaves beside it, `path.new`, is never read, and the next `replace` empties it first.
//
// Order
// 1. Write the bytes to `path.new` in the same folder: a rename does not cross file systems.
// 2. fsync it: the name must never stand for bytes that are not on the card.
// 3. Rename it over `path`.
// 4. fsync the folder: without it the old name may come back after a power cut.

/// Puts `bytes` in the place of the file at `path`, durably and in one step. Blocks for two syncs.
/// Two writers of one path at a time are a mistake: they would share `path.new`.
package func replace(
    _ path: String, _ bytes: [UInt8], mode: mode_t = 0o600, calls: FileCalls = .system
) throws(DurableFileError) {
    let new = path + ".new"
    let file = try calls.open(new, .createOrEmpty, mode: mode)
    try file.write(bytes)
    try file.sync()
    try calls.rename(new, path)
    try calls.syncFolder(folder(of: path))
}
