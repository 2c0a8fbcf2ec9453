import Foundation
import Outbox
import Sealing
import Testing

/// Whether a test's recordings are sealed, and the host that can open them.
enum Seal: String, CaseIterable, CustomTestStringConvertible {
    case off, on

    static let key = AgeIdentity.generate()
    /// The second recipient's; each opens everything by itself.
    static let backup = AgeIdentity.generate()

    var recipients: [AgeRecipient] { self == .on ? [Self.key.recipient] : [] }

    /// What stays in `rec/` when nothing is recorded.
    var spare: [String] { self == .on ? ["spare.tail"] : [] }

    /// Of audio and manifest names.
    var suffix: String { self == .on ? ".age" : "" }

    var testDescription: String { self == .on ? "sealed" : "in the clear" }
}

/// A file's text, opened by the host's key when it is sealed.
func opened(_ path: String, _ sealed: Bool, with key: AgeIdentity = Seal.key) throws -> [UInt8] {
    let bytes = try content(path)
    return sealed ? try AgeOpener.open(bytes, with: [key]) : bytes
}

/// The sound that the host has of an item: put together from part file and journal when a crash ended it.
func sound(of item: OutboxItem, with key: AgeIdentity = Seal.key) throws -> [UInt8] {
    guard let tailPath = item.tailPath else { return try opened(item.audioPath, item.sealed, with: key) }
    let part = try content(item.audioPath)
    var plain: [UInt8] = []
    func read(_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let rest = part.dropFirst(offset).prefix(buffer.count)
        buffer.copyBytes(from: rest)
        return rest.count
    }
    _ = try assemble(
        part: read, tail: content(tailPath), utterance: hexBytes(item.name.id) ?? [], identities: [key]
    ) { plain += Array($0) }
    return plain
}

/// Sound that never repeats, so that a piece in the wrong place shows.
func speech(_ count: Int) -> [UInt8] {
    var value: UInt32 = 2_463_534_242
    return (0..<count).map { _ in
        value ^= value << 13
        value ^= value >> 17
        value ^= value << 5
        return UInt8(truncatingIfNeeded: value)
    }
}

extension [UInt8] {
    /// Whether all of it is the begin of `all`.
    func begins(_ all: [UInt8]) -> Bool { self == Array(all.prefix(count)) }
}
