// Invariants of a feed
//  1. An entry is written in the commit of what it tells: one is there exactly when the other is.
//  2. Numbers grow by one in the order of the commits. A reader that finds a gap behind N has missed what was pruned.
//  3. An entry is durable before it is read by the program that wrote it.
//  4. It names things by their ids and holds nothing of what was said. What was withdrawn keeps its entries: they say
//     that it came and that it went.
//  5. The newest `FeedLimit.entries` are kept; older ones go in the commits that add new ones, so that what a feed
//     costs has a bound.
//
// How another program notices: it asks for what came after N, which is one look into an index, as often as it likes
// to; `FeedLimit.pause` is what `lapel-host list --follow` takes. Within the program that writes, `onAddition` wakes.

/// One thing that happened at the host.
package struct FeedEntry: Equatable, Sendable {
    package enum Event: Equatable, Sendable {
        /// A manifest was stored: the host knows of the utterance.
        case rung(utterance: String, seq: UInt64, device: String)
        /// An upload was stored; `whole` when its utterance became whole by it. The device is its pin.
        case stored(
            utterance: String, kind: StoredKind, bytes: Int, sha256: String, device: String, whole: Bool)
        /// A device was paired or added; nil is the name of one that was removed since.
        case paired(device: String, name: String?)
        /// An utterance, or a file of another client, was withdrawn.
        case forgotten(utterance: String)
    }

    /// From 1.
    package let number: Int64
    /// By the host's clock, milliseconds since 1970.
    package let at: Int64
    package let event: Event

    package init(number: Int64, at: Int64, event: Event) {
        self.number = number
        self.at = at
        self.event = event
    }
}

/// What bounds a feed.
package enum FeedLimit {
    /// So many of the newest entries can be read: a year of 90 recordings a day.
    package static let entries = 100_000
    /// Older ones go so many at a time; as many more than `entries` may be there.
    package static let slack = 1_000
    /// Between two looks of another program.
    package static let pause: Duration = .milliseconds(500)
}

/// Ends a wake when it goes.
package final class FeedWake: Sendable {
    private let end: @Sendable () -> Void

    package init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}

/// "What happened after N". Written by the catalogue's operations that say so.
package protocol Feed: Sendable {
    /// At most `limit` entries whose numbers are larger than `number`, in their order.
    func entries(after number: Int64, limit: Int) throws(StoreError) -> [FeedEntry]

    /// The number of the newest entry; 0 when nothing has happened yet.
    func newest() throws(StoreError) -> Int64

    /// Calls `body` after each commit of this program that added entries, until what is returned goes. It is called
    /// on the thread that committed, with no lock held, and must return at once, since the operation waits for it; it may be called once more while the
    /// wake is ended.
    func onAddition(_ body: @escaping @Sendable () -> Void) -> FeedWake
}
