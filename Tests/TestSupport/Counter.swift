import Synchronization

/// Counts from 0, from any thread.
package final class Counter: Sendable {
    private let value = Mutex(0)

    package init() {}

    package func next() -> Int {
        value.withLock { value in
            defer { value += 1 }
            return value
        }
    }
}
