import Glibc

/// What answers the calls: the kernel (`KernelFiles`), or a disk that a test makes up.
///
/// Answers are like the kernel's own: 0 or a count, or −errno. What a handle means is the file system's business.
/// Each call is made once; interrupted and short ones are the caller's to continue.
package protocol FileSystem: Sendable {
    /// A handle. A new file gets `mode`.
    func open(_ path: String, _ opening: FileCalls.Opening, mode: mode_t) -> Int
    func close(_ handle: Int32)

    /// Writes at the handle's position; the number of bytes written.
    func write(_ handle: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
    /// Writes at `offset` and leaves the position alone; the number of bytes written.
    func write(_ handle: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int
    /// The number of bytes read, 0 at the end.
    func read(_ handle: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int
    func truncate(_ handle: Int32, to size: Int) -> Int
    /// Reserves blocks; the size does not change.
    func reserve(_ handle: Int32, from offset: Int, length: Int) -> Int
    /// Bytes and size are on the card when it returns. `dataOnly`: times and owner need not be.
    func sync(_ handle: Int32, dataOnly: Bool) -> Int
    /// Bytes in the file.
    func size(_ handle: Int32) -> Int
    /// Takes the file for this handle alone; −EWOULDBLOCK when another has it.
    func lock(_ handle: Int32) -> Int

    /// The names in the folder are on the card when it returns.
    func syncFolder(_ path: String) -> Int
    func rename(_ from: String, _ to: String) -> Int
    func unlink(_ path: String) -> Int
    func makeFolder(_ path: String, mode: mode_t) -> Int
    /// 1 for a folder, 0 for anything else.
    func isFolder(_ path: String) -> Int
    /// The names in a folder, in any order, without `.` and `..`.
    func list(_ path: String, into names: inout [String]) -> Int
    /// Bytes in the file.
    func size(of path: String) -> Int
    /// Bytes that an ordinary user may still write, and the whole size.
    func space(_ path: String, free: inout Int, total: inout Int) -> Int
}
