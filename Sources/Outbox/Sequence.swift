import DurableFiles
import Wire

// Invariants
// 1. No sequence number is given out twice, whatever crashes: the file `seq` holds a number above every one that
//    was given out.
// 2. It is reserved in blocks, so that a press does not wait for the card; a crash skips the rest of a block.
// 3. A lost or damaged `seq` starts above every number still in the outbox; the random id keeps names apart.

/// The sequence numbers of an outbox.
struct Sequence: Sendable {
    static let block: UInt64 = 64
    private static let largest: UInt64 = 9_999_999_999

    private let path: String
    private let calls: FileCalls
    private var next: UInt64
    private var reservedBelow: UInt64

    /// Reads the file and reserves the first block. `seen` is the largest number in the outbox.
    /// A card that takes no block (a full one) is no failure yet: what waits can still be sent, which makes room.
    init(path: String, seen: UInt64, calls: FileCalls) {
        self.path = path
        self.calls = calls
        next = max(Self.stored(path, calls), seen + 1)
        reservedBelow = next
        try? topUp()
    }

    /// The next number. Waits for the card only when `topUp` was not called for a whole block.
    mutating func take() throws(OutboxError) -> UInt64 {
        if next == reservedBelow { try topUp() }
        guard next < reservedBelow else { throw .namesExhausted }
        defer { next += 1 }
        return next
    }

    /// Reserves more when less than half a block is left. Blocks for two syncs when it does.
    mutating func topUp() throws(OutboxError) {
        guard reservedBelow - next < Self.block / 2, reservedBelow <= Self.largest else { return }
        let above = min(next + Self.block, Self.largest + 1)
        do {
            try replace(path, Array("\(above)\n".utf8), calls: calls)
        } catch {
            throw OutboxError(error)
        }
        reservedBelow = above
    }

    private static func stored(_ path: String, _ calls: FileCalls) -> UInt64 {
        guard let bytes = try? calls.contents(path), bytes.last == 10,
            let number = UInt64(String(decoding: bytes.dropLast(), as: UTF8.self)), number <= largest + 1
        else { return 1 }
        return number
    }
}
