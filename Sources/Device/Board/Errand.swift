import Synchronization
import Threads

/// Something that may take long, done on a thread of its own whenever somebody asks for it.
///
/// Asked while it runs, it runs once more afterwards, however often it was asked. Unasked, the thread sleeps without a
/// time-out.
final class Errand: Sendable {
    private struct State {
        var isAsked = false
        var isEnded = false
        var thread: NamedThread?
    }

    private let wakeUp = WakeUp()
    private let state = Mutex(State())

    /// - Parameter run: runs on the errand's thread, and ends soon after `isEnded`.
    init(_ name: String, run: @escaping @Sendable (Errand) -> Void) {
        let thread = NamedThread(name) { [self] in
            while waitUntilAsked() { run(self) }
        }
        state.withLock { $0.thread = thread }
    }

    func ask() {
        state.withLock { $0.isAsked = true }
        wakeUp.ring()
    }

    /// Ends the thread and waits for it, as long as `run` takes. Afterwards nothing runs.
    func shutDown() {
        let thread = state.withLock { state in
            state.isEnded = true
            defer { state.thread = nil }
            return state.thread
        }
        wakeUp.ring()
        thread?.join()
    }

    /// Waits in the middle of `run`; false when the errand is to end.
    func pause(_ length: Duration) -> Bool {
        let due = MonotonicClock.now + length
        while !state.withLock({ $0.isEnded }) {
            wakeUp.clear()
            // Rung between the look and here, the bell is heard at the next look.
            if state.withLock({ $0.isEnded }) { return false }
            if MonotonicClock.now >= due { return true }
            wakeUp.wait(until: due)
        }
        return false
    }

    /// Takes back what was asked meanwhile: the run that ends has answered it.
    func answered() { state.withLock { $0.isAsked = false } }

    /// False at the end.
    private func waitUntilAsked() -> Bool {
        while true {
            wakeUp.clear()
            let (isAsked, isEnded) = state.withLock { state in
                defer { state.isAsked = false }
                return (state.isAsked, state.isEnded)
            }
            if isEnded { return false }
            if isAsked { return true }
            wakeUp.wait()
        }
    }
}
