import Dispatch
import Hardware
import Synchronization

/// What a button reported, for a test that waits for facts instead of time. One reader.
package final class ButtonLog: Sendable {
    private struct State {
        var events: [ButtonEvent] = []
        var read = 0
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)

    package init() {}

    /// To be given to the button as its `report`.
    package func report(_ event: ButtonEvent) {
        state.withLock { $0.events.append(event) }
        arrived.signal()
    }

    /// Like `report`, but the first event keeps the button's thread until the gate is opened: what happens meanwhile
    /// stays unread.
    package func report(_ event: ButtonEvent, standingStillUntil gate: DispatchSemaphore) {
        let isFirst = state.withLock {
            $0.events.append(event)
            return $0.events.count == 1
        }
        arrived.signal()
        if isFirst { gate.wait() }
    }

    /// Waits for the next event. Nil after 30 s without one: the test has failed then.
    package func next() -> ButtonEvent? {
        guard arrived.wait(timeout: .now() + 30) == .success else { return nil }
        return state.withLock {
            $0.read += 1
            return $0.events[$0.read - 1]
        }
    }

    /// Waits for the next event, which should be an edge.
    package func edge() -> Edge? {
        guard case .edge(let edge)? = next() else { return nil }
        return edge
    }

    /// Everything reported so far.
    package var events: [ButtonEvent] { state.withLock { $0.events } }
}
