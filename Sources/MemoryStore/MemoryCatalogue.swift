import Catalogue
import Synchronization

/// A catalogue and feed in memory, for tests: it keeps the contract, loses at a power cut whatever may be lost, and
/// records what was changed.
package final class MemoryCatalogue: Catalogue {
    struct Memory: Sendable {
        /// What is seen.
        var seen = MemoryRows()
        /// What a power cut leaves.
        var settled = MemoryRows()
        var noted: [ContactKey: Contact] = [:]
        var changes: [String] = []
    }

    let memory = Mutex(Memory())
    let wakes = Mutex<(next: Int, bodies: [Int: @Sendable () -> Void])>((0, [:]))
    let feedEntries: Int

    /// `feedEntries` of the newest can be read.
    package init(feedEntries: Int = FeedLimit.entries) { self.feedEntries = feedEntries }

    /// The operations that changed something, in their order, by name.
    package var changes: [String] { memory.withLock { $0.changes } }

    /// Everything that is not settled is gone, and so is what was noted.
    package func cutPower() {
        memory.withLock {
            $0.seen = $0.settled
            $0.noted = [:]
        }
    }

    package func settle() throws(StoreError) { memory.withLock { $0.settled = $0.seen } }

    package func faults() throws(StoreError) -> [String] { [] }

    package func note(_ contact: Contact, of key: ContactKey) {
        memory.withLock { $0.noted[key] = $0.noted[key].map { $0.merged(with: contact) } ?? contact }
    }

    package func keepContacts() throws(StoreError) { try change("keepContacts") { _ in } }

    func read<Result: Sendable>(_ body: (MemoryRows) -> Result) -> Result {
        memory.withLock { body($0.seen) }
    }

    /// One operation: a body that throws changes nothing.
    func change<Result: Sendable>(
        _ operation: String, lazily: Bool = false,
        _ body: (inout MemoryRows) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let (result, grew) = try memory.withLock { memory throws(StoreError) in
            var rows = memory.seen
            for (key, contact) in memory.noted { rows.keep(contact, of: key) }
            let before = rows.newest
            let result = try body(&rows)
            rows.prune(keeping: feedEntries)
            memory.noted = [:]
            memory.changes.append(operation)
            memory.seen = rows
            if !lazily { memory.settled = rows }
            return (result, rows.newest > before)
        }
        if grew { for body in wakes.withLock({ Array($0.bodies.values) }) { body() } }
        return result
    }
}
