/// What a simulated disk holds under a name. Compared by identity, as inodes are.
class DiskNode {}

/// A folder: the names as programs see them, and as they are on the card.
final class FolderNode: DiskNode {
    var entries: [String: DiskNode] = [:]
    var durable: [String: DiskNode] = [:]
}

/// A file: its bytes as programs see them, and as they are on the card.
final class FileNode: DiskNode {
    static let block = 4096

    var current: [UInt8] = []
    private(set) var durable: [UInt8] = []
    /// Written and not synced since.
    private var dirty: [Range<Int>] = []
    /// The smallest size since the last sync, when the file was cut below what is on the card.
    private var cutTo: Int?
    /// A sync of these failed: the kernel holds them for clean, and no later sync brings them to the card.
    private var lost: [Range<Int>] = []
    /// Blocks that are reserved, from the start on.
    var reservedBlocks = 0
    var names = 0
    var handles = 0
    /// The handle that holds the lock.
    var lockedBy: Int32?

    /// The same for as long as the durable bytes are the same.
    private(set) var version = 0

    var blocks: Int { max(reservedBlocks, Self.blocks(current.count)) }
    static func blocks(_ bytes: Int) -> Int { (bytes + block - 1) / block }

    /// Everything that programs see would survive any power cut.
    var isSafe: Bool { dirty.isEmpty && lost.isEmpty && cutTo == nil && durable.count == current.count }

    /// The first `count` bytes would survive any power cut as they are.
    func surelyHas(_ count: Int) -> Bool {
        durable.count >= count && current.count >= count
            && (dirty + lost).allSatisfy { $0.lowerBound >= count } && cutTo ?? count >= count
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        let end = offset + bytes.count
        if current.count < offset {
            dirty.append(current.count..<offset)
            current.append(contentsOf: repeatElement(0, count: offset - current.count))
        }
        let over = min(bytes.count, current.count - offset)
        current.replaceSubrange(offset..<(offset + over), with: bytes[..<over])
        current.append(contentsOf: bytes[over...])
        if let last = dirty.last, last.upperBound == offset {
            dirty[dirty.count - 1] = last.lowerBound..<end
        } else {
            dirty.append(offset..<end)
        }
    }

    func truncate(to size: Int) {
        if size < current.count {
            current.removeLast(current.count - size)
            if size < durable.count { cutTo = min(cutTo ?? size, size) }
        } else if size > current.count {
            dirty.append(current.count..<size)
            current.append(contentsOf: repeatElement(0, count: size - current.count))
        }
        reservedBlocks = min(reservedBlocks, Self.blocks(size))
    }

    func sync() {
        guard !dirty.isEmpty || cutTo != nil || durable.count != current.count else { return }
        version += 1
        if let cutTo { resize(&durable, to: cutTo) }
        cutTo = nil
        resize(&durable, to: current.count)
        for range in dirty {
            let range = range.clamped(to: 0..<current.count)
            durable.replaceSubrange(range, with: current[range])
        }
        dirty = []
    }

    /// The card did not take it: the bytes stay readable until the next start, and never get there.
    func failSync() {
        lost += dirty
        dirty = []
    }

    /// A power cut. A file that was made shorter has the old size or the new one, and what was written since then only
    /// with the new one. Of what was written each block may be there, or not, or in part; a file that grew may have any
    /// size between, with zeros where nothing came.
    func cut(using random: inout some RandomNumberGenerator) {
        lockedBy = nil
        defer {
            dirty = []
            lost = []
            cutTo = nil
            reservedBlocks = 0
            current = durable
        }
        guard !isSafe else { return }
        version += 1
        if let cutTo {
            if Bool.random(using: &random) { return }
            resize(&durable, to: cutTo)
        }
        let size: Int
        switch Int.random(in: 0..<4, using: &random) {
        case 0: size = durable.count
        case 1: size = Int.random(in: min(durable.count, current.count)...current.count, using: &random)
        default: size = current.count
        }
        resize(&durable, to: size)
        let share = Int.random(in: 0...4, using: &random)
        for range in dirty {
            var from = range.lowerBound
            while from < range.upperBound {
                let whole = min((from / Self.block + 1) * Self.block, range.upperBound)
                let kept = Int.random(in: 0..<4, using: &random) < share
                let torn = Int.random(in: 0..<8, using: &random) == 0
                let until = min(
                    torn ? Int.random(in: from...whole, using: &random) : whole, size, current.count)
                if kept, from < until { durable.replaceSubrange(from..<until, with: current[from..<until]) }
                from = whole
            }
        }
    }

    /// The program died and the machine goes on: the kernel still has everything.
    func survive() { lockedBy = nil }

    private func resize(_ bytes: inout [UInt8], to size: Int) {
        if size < bytes.count {
            bytes.removeLast(bytes.count - size)
        } else {
            bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
        }
    }
}
