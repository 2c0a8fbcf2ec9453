import Synchronization

/// What is known only while the program runs of one upload that is not complete.
///
/// Its lock is held for one `pwrite` at the longest, and never while anything is synced or hashed.
final class LiveUpload: Sendable {
    enum Phase: Equatable, Sendable {
        case open
        /// One request takes the last steps; everybody else is told to wait.
        case finishing
        /// Complete, or removed: whoever still holds this object asks the database again.
        case over
    }

    struct State: Sendable {
        /// Bytes in the file, all of them from the upload's start on.
        var size: Int
        /// The writer whose turn it is; an older one stops at its next write.
        var generation = 0
        var phase = Phase.open
    }

    let state: Mutex<State>

    init(size: Int) { state = Mutex(State(size: size)) }

    /// Puts out whoever writes now. Nil while the upload is being finished or when it is over.
    func takeOver() -> (size: Int, generation: Int)? {
        state.withLock { state in
            guard state.phase == .open else { return nil }
            state.generation += 1
            return (state.size, state.generation)
        }
    }
}
