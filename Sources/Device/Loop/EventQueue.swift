import Synchronization
import Threads

/// Facts on their way to the loop, from any thread. Posting allocates nothing while fewer than 1024 wait.
final class EventQueue: Sendable {
    private struct State {
        var filling: [DeviceEvent] = []
        var spare: [DeviceEvent] = []
    }

    /// Readable while something waits.
    let wakeUp = WakeUp()
    private let state: Mutex<State>

    init() {
        var initial = State()
        initial.filling.reserveCapacity(1024)
        initial.spare.reserveCapacity(1024)
        state = Mutex(initial)
    }

    func post(_ event: DeviceEvent) {
        let first = state.withLock { state in
            state.filling.append(event)
            return state.filling.count == 1
        }
        if first { wakeUp.ring() }
    }

    /// All that waits, ordered by the kernel's time; equal times keep the order of their posting.
    func takeAll() -> [DeviceEvent] {
        wakeUp.clear()
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
    func recycle(_ events: consuming [DeviceEvent]) {
        var storage = events
        storage.removeAll(keepingCapacity: true)
        state.withLock { if $0.spare.capacity < storage.capacity { $0.spare = storage } }
    }
}
