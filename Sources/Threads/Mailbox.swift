// Invariants
// 1. Messages are taken in the order of their posting, each once.
// 2. The bell is readable while a message waits. It may be rung by others, too: whoever shares it clears it before
//    looking, and looks until nothing waits.
// 3. The lock guards messages and bell together. It is held for no longer than a copy and one system call that does
//    not block, so `post` never waits for what the taker does.

import Synchronization

/// A queue with a doorbell, from any thread to the one that takes: so that one `poll` may wait for a message and for
/// something else.
package final class Mailbox<Message: Sendable>: Sendable {
    /// Readable while a message waits.
    package let wakeUp: WakeUp
    private let waiting: Mutex<[Message]>

    /// - Parameters:
    ///   - capacity: posting allocates nothing while fewer wait.
    ///   - wakeUp: the bell; given where something else rings it, too.
    package init(capacity: Int = 8, wakeUp: WakeUp = WakeUp()) {
        self.wakeUp = wakeUp
        var messages: [Message] = []
        messages.reserveCapacity(capacity)
        waiting = Mutex(messages)
    }

    /// Returns at once.
    package func post(_ message: Message) {
        waiting.withLock { messages in
            messages.append(message)
            if messages.count == 1 { wakeUp.ring() }
        }
    }

    /// The oldest message, without waiting; nil when there is none.
    package func take() -> Message? {
        waiting.withLock { messages in
            guard !messages.isEmpty else { return nil }
            if messages.count == 1 { wakeUp.clear() }
            return messages.removeFirst()
        }
    }

    /// The oldest message. Blocks until there is one. For a taker that shares its bell with nobody.
    package func wait() -> Message {
        while true {
            if let message = take() { return message }
            wakeUp.wait()
        }
    }
}
