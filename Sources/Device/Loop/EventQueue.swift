import DeviceMachine
import Synchronization
import Threads

/// Facts on their way to the loop, from any thread. Posting allocates nothing while fewer than 1024 wait.
package final class EventQueue: Sendable {
    private struct State {
        var filling: [DeviceEvent] = []
        var spare: [DeviceEvent] = []
        /// `wait` is to return though nothing waits.
        var isAsked = false
    }

    /// Rung when something begins to wait; heard by `wait` alone.
    private let wakeUp = WakeUp()
    private let state: Mutex<State>

    package init() {
        var initial = State()
        initial.filling.reserveCapacity(1024)
        initial.spare.reserveCapacity(1024)
        state = Mutex(initial)
    }

    package func post(_ event: DeviceEvent) {
        let first = state.withLock { state in
            state.filling.append(event)
            return state.filling.count == 1
        }
        if first { wakeUp.ring() }
    }

    /// Lets `wait` return once though nothing waits.
    package func ring() {
        state.withLock { $0.isAsked = true }
        wakeUp.ring()
    }

    /// Blocks while nothing waits, at most until `deadline` by `MonotonicClock`; nil: for ever. May return early.
    ///
    /// What rang for events that were taken is cleared here and not in `takeAll`: a system call less between a press
    /// and the lamp. Cleared first and looked for then, so that nothing posted in between is slept over.
    package func wait(until deadline: Duration? = nil) {
        wakeUp.clear()
        let isQuiet = state.withLock { state in
            defer { state.isAsked = false }
            return state.filling.isEmpty && !state.isAsked
        }
        if isQuiet { wakeUp.wait(until: deadline) }
    }

    /// All that waits, ordered by the kernel's time; equal times keep the order of their posting. Makes no system call.
    package func takeAll() -> [DeviceEvent] {
        var events = state.withLock { state in
            swap(&state.filling, &state.spare)
            defer { state.spare = [] }
            return state.spare
        }
        guard events.count > 1 else { return events }
        // The storage stays the one that was made for 1024.
        // A fact without a time of its own stands where it was posted: it takes its predecessor's time.
        var latest = Duration.zero
        let keyed = events.enumerated().map { position, event in
            latest = event.at ?? latest
            return (latest, position)
        }
        let ordered = keyed.sorted { $0 < $1 }.map { events[$0.1] }
        for position in ordered.indices { events[position] = ordered[position] }
        return events
    }

    /// Gives the storage of `takeAll` back.
    package func recycle(_ events: consuming [DeviceEvent]) {
        var storage = events
        storage.removeAll(keepingCapacity: true)
        state.withLock { if $0.spare.capacity < storage.capacity { $0.spare = storage } }
    }
}
