import DurableFiles
import Glibc
import TestSupport

// Invariants
// 1. What a file's own sync has covered survives every cut; nothing else of it need.
// 2. A name survives once its folder was synced after it was made, and so does its absence after it was removed.
// 3. Changes of one name come to the card in their order; changes of different names in any order or not at all.
// 4. A rename is one step, across folders as well: both names change or neither.
// 5. Everything is decided by the numbers that `cut` is given: the same ones make the same card.

/// A disk in memory that forgets at a power cut what POSIX lets it forget.
///
/// Used by one thread at a time: the one that runs its world.
final class SimulatedDisk: FileSystem, @unchecked Sendable {
    struct Handle {
        let node: FileNode
        let appends: Bool
        var position = 0
    }

    let root = FolderNode()
    var pending: [PendingNames] = []
    var handles: [Int32: Handle] = [:]
    private var lastHandle: Int32 = 2
    /// Of 4096 bytes.
    private(set) var capacity: Int
    private var used = 0
    /// After so many more syncs one fails with EIO.
    var syncsUntilFailure: Int?
    private(set) var failedSyncs = 0
    /// Must never be written: a sealed device's plain sound.
    var forbidden: [UInt8]?
    /// Where it was.
    private(set) var leak: String?
    private var paths: [Int32: String] = [:]

    /// - Parameter capacity: bytes.
    init(capacity: Int = 1 << 30) { self.capacity = capacity / FileNode.block }

    /// Its owner makes room.
    func grow() { capacity = max(capacity, (1 << 30) / FileNode.block) }

    // MARK: Files

    func open(_ path: String, _ opening: FileCalls.Opening, mode: mode_t) -> Int {
        guard let (folder, name) = place(path) else { return Int(-ENOENT) }
        let node: FileNode
        switch (folder.entries[name], opening) {
        case (is FolderNode, _): return Int(-EISDIR)
        case (_?, .createNew): return Int(-EEXIST)
        case (nil, .read), (nil, .update(creating: false)): return Int(-ENOENT)
        case (let known as FileNode, .createOrEmpty):
            node = known
            account(node) { $0.truncate(to: 0) }
        case (let known as FileNode, _): node = known
        default:
            node = FileNode()
            node.names = 1
            folder.entries[name] = node
            pending.append(PendingNames(add: .init(folder, name, node)))
        }
        lastHandle += 1
        node.handles += 1
        var appends = false
        if case .append = opening { appends = true }
        handles[lastHandle] = Handle(node: node, appends: appends)
        paths[lastHandle] = path
        return Int(lastHandle)
    }

    func close(_ handle: Int32) {
        // A dead program's handles are gone before it lets go of them.
        guard let node = handles.removeValue(forKey: handle)?.node else { return }
        paths[handle] = nil
        if node.lockedBy == handle { node.lockedBy = nil }
        node.handles -= 1
        if node.names == 0, node.handles == 0 { used -= node.blocks }
    }

    func write(_ handle: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        guard let open = handles[handle] else { return Int(-EBADF) }
        let offset = open.appends ? open.node.current.count : open.position
        let count = write(handle, bytes, at: offset)
        if count > 0 { handles[handle]?.position = offset + count }
        return count
    }

    func write(_ handle: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        guard let node = handles[handle]?.node else { return Int(-EBADF) }
        if let forbidden, leak == nil, bytes.contains(forbidden) { leak = paths[handle] }
        let room = (capacity - used + node.blocks) * FileNode.block - offset
        let count = min(bytes.count, room)
        guard count > 0 else { return bytes.isEmpty ? 0 : Int(-ENOSPC) }
        account(node) { $0.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: offset) }
        return count
    }

    func read(_ handle: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        guard let node = handles[handle]?.node else { return Int(-EBADF) }
        let count = max(0, min(buffer.count, node.current.count - offset))
        if count > 0 {
            node.current.withUnsafeBytes {
                buffer.copyMemory(from: .init(rebasing: $0[offset..<(offset + count)]))
            }
        }
        return count
    }

    func truncate(_ handle: Int32, to size: Int) -> Int {
        guard let node = handles[handle]?.node else { return Int(-EBADF) }
        guard FileNode.blocks(size) - node.blocks <= capacity - used else { return Int(-ENOSPC) }
        account(node) { $0.truncate(to: size) }
        return 0
    }

    func reserve(_ handle: Int32, from offset: Int, length: Int) -> Int {
        guard let node = handles[handle]?.node else { return Int(-EBADF) }
        let blocks = max(node.blocks, FileNode.blocks(offset + length))
        guard blocks - node.blocks <= capacity - used else { return Int(-ENOSPC) }
        account(node) { $0.reservedBlocks = max($0.reservedBlocks, blocks) }
        return 0
    }

    func sync(_ handle: Int32, dataOnly: Bool) -> Int {
        guard let node = handles[handle]?.node else { return Int(-EBADF) }
        if let left = syncsUntilFailure {
            syncsUntilFailure = left > 0 ? left - 1 : nil
            if left == 0 {
                node.failSync()
                failedSyncs += 1
                return Int(-EIO)
            }
        }
        node.sync()
        return 0
    }

    func size(_ handle: Int32) -> Int { handles[handle]?.node.current.count ?? Int(-EBADF) }

    func lock(_ handle: Int32) -> Int {
        guard let node = handles[handle]?.node else { return Int(-EBADF) }
        guard node.lockedBy == nil || node.lockedBy == handle else { return Int(-EWOULDBLOCK) }
        node.lockedBy = handle
        return 0
    }

    func space(_ path: String, free: inout Int, total: inout Int) -> Int {
        free = max(0, capacity - used) * FileNode.block
        total = capacity * FileNode.block
        return 0
    }

    // MARK: Blocks

    /// Counts what a change of the node takes or gives back.
    func account(_ node: FileNode, _ change: (FileNode) -> Void) {
        let before = node.blocks
        change(node)
        used += node.blocks - before
    }

    /// A name of the node went.
    func dropName(of node: DiskNode) {
        guard let file = node as? FileNode else { return }
        file.names -= 1
        if file.names == 0, file.handles == 0 { used -= file.blocks }
    }

    /// Counts anew, after a cut.
    func recount() {
        used = 0
        var seen: Set<ObjectIdentifier> = []
        eachFile { node in
            if seen.insert(ObjectIdentifier(node)).inserted {
                node.names = 0
                used += node.blocks
            }
            node.names += 1
        }
    }

    func eachFile(_ body: (FileNode) -> Void) { Self.eachFile(in: root, body) }

    private static func eachFile(in folder: FolderNode, _ body: (FileNode) -> Void) {
        for name in folder.entries.keys.sorted() {
            switch folder.entries[name] {
            case let file as FileNode: body(file)
            case let inner as FolderNode: eachFile(in: inner, body)
            default: break
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    func contains(_ needle: [UInt8]) -> Bool {
        guard let base = baseAddress else { return false }
        return needle.withUnsafeBytes { needle in
            var from = 0
            while from + needle.count <= count,
                let found = memchr(base + from, Int32(needle[0]), count - needle.count - from + 1)
            {
                if memcmp(found, sure(needle.baseAddress), needle.count) == 0 { return true }
                from = UnsafeRawPointer(found) - base + 1
            }
            return false
        }
    }
}
