import DurableFiles
import Synchronization
import Threads

/// A file layer whose syncs stand still while it is shut.
final class SyncGate: Sendable {
    private struct State {
        var isShut = false
        var standing: Set<FileOperation> = []
    }

    private let state = Mutex(State())
    private let opened = WakeUp()
    private let stands = WakeUp()

    func pass(_ call: FileCall) -> FileCalls.Interference? {
        switch call.operation {
        case .sync, .syncData, .syncFolder:
            guard state.withLock({ $0.isShut }) else { return nil }
            state.withLock { _ = $0.standing.insert(call.operation) }
            stands.ring()
            while isShut { opened.wait() }
        case .open, .create, .write, .read, .truncate, .reserve, .rename, .unlink, .makeFolder, .list, .size,
            .space, .lock:
            break
        }
        return nil
    }

    var isShut: Bool { state.withLock { $0.isShut } }

    func shut() { state.withLock { $0.isShut = true } }

    func open() {
        state.withLock { $0.isShut = false }
        opened.ring()  // and is never cleared: everybody goes on
    }

    /// Whether such a call stands still; waits for it, at most 30 s.
    func holds(_ operation: FileOperation) -> Bool {
        let end = MonotonicClock.now + .seconds(30)
        while !state.withLock({ $0.standing.contains(operation) }) {
            if MonotonicClock.now >= end { return false }
            stands.wait(until: end)
            stands.clear()
        }
        return true
    }
}
