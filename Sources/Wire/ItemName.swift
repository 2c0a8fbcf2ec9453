/// The name of an outbox item: its place in the order and its random identity.
///
/// Written `<seq, 10 digits>-<128-bit id, 32 hex digits>`: `0000000007-3f…`. Ids are random, never times (a Pi
/// has no clock) and never counters alone (cards get cloned). Order is by `seq`.
package struct ItemName: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let seq: UInt64
    /// 32 lower-case hexadecimal digits; this is the utterance's id everywhere.
    package let id: String

    /// Nil when `id` is not 32 lower-case hexadecimal digits or `seq` has more than 10 digits.
    package init?(seq: UInt64, id: String) {
        guard seq <= 9_999_999_999, id.utf8.count == 32, id.utf8.allSatisfy(Self.isHex) else { return nil }
        self.seq = seq
        self.id = id
    }

    /// Parses `0000000007-3f…`; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 10,
            parts[0].utf8.allSatisfy({ (48...57).contains($0) }),
            let seq = UInt64(parts[0])
        else { return nil }
        self.init(seq: seq, id: String(parts[1]))
    }

    package var description: String {
        let digits = String(seq)
        return String(repeating: "0", count: 10 - digits.utf8.count) + digits + "-" + id
    }

    package static func < (a: ItemName, b: ItemName) -> Bool { (a.seq, a.id) < (b.seq, b.id) }

    private static func isHex(_ c: UInt8) -> Bool { (48...57).contains(c) || (97...102).contains(c) }
}
