import Glibc
import Synchronization
import Threads

// libmicrohttpd ends a connection on which nothing comes for 30 s. One that sends a byte now and then it keeps for ever,
// be it in the handshake, in the headers, or in a body that nobody wants; and it looks after none that is suspended.
//
// Invariants
//  1. Between two requests that the host works on, a connection has `patience` to make its next one known: handshake,
//     headers, and the body of whatever is refused or is a document. Then it is shut down. Of a file or a stream it
//     has that long to take the next piece.
//  2. A descriptor is touched only while its connection is known to be open: libmicrohttpd tells of the end before it
//     closes the descriptor, and that waits for this lock.
//  3. Who waits is rung when its time is up, and when the watch ends; after that nobody begins to wait.

/// Ends connections that take too long to say what they want, and waits that have lasted long enough.
final class ConnectionWatch: Sendable {
    private enum Phase: Sendable {
        /// It was last done with something then.
        case idle(since: Duration)
        /// A request of a known device is served.
        case busy
        case waiting(Waker, until: Duration)
        /// It was shut down; its thread notices.
        case ending
    }

    private struct Open: Sendable {
        let descriptor: Int32
        var phase: Phase
    }

    private struct State: Sendable {
        var open: [UInt: Open] = [:]
        /// When the watch's thread looks again; nil while nothing is open.
        var next: Duration?
        var ended = false
    }

    private let patience: Duration
    private let state = Mutex(State())
    private let bell = WakeUp()

    /// Thousands may wait until thousands of times: they are looked at together.
    private static let grain: Duration = .milliseconds(50)

    init(patience: Duration) { self.patience = patience }

    func began(_ connection: OpaquePointer, _ descriptor: Int32) {
        let first = state.withLock { state in
            let open = Open(descriptor: descriptor, phase: .idle(since: MonotonicClock.now))
            state.open[Self.key(connection)] = open
            return state.open.count == 1
        }
        if first { bell.ring() }
    }

    /// A request of a known device: it may take as long as its bytes come.
    func busy(_ connection: OpaquePointer) {
        state.withLock { $0.open[Self.key(connection)]?.phase = .busy }
    }

    /// From now on it has `patience`.
    func idle(_ connection: OpaquePointer) {
        state.withLock { $0.open[Self.key(connection)]?.phase = .idle(since: MonotonicClock.now) }
    }

    /// It is about to wait until then; false when nothing may wait any more.
    func waits(_ connection: OpaquePointer, _ waker: Waker, until deadline: Duration) -> Bool {
        let (ended, sooner) = state.withLock { state in
            if !state.ended { state.open[Self.key(connection)]?.phase = .waiting(waker, until: deadline) }
            return (state.ended, state.next.map { deadline < $0 } ?? true)
        }
        if sooner { bell.ring() }
        return !ended
    }

    func ended(_ connection: OpaquePointer) {
        state.withLock { _ = $0.open.removeValue(forKey: Self.key(connection)) }
    }

    /// The watch's own thread; returns after `stop`.
    func run() {
        while true {
            let now = MonotonicClock.now
            let (ended, next, due) = state.withLock { state in
                var next: Duration?
                var due: [Waker] = []
                for (key, open) in state.open {
                    let deadline: Duration
                    switch open.phase {
                    case .idle(let since): deadline = since + patience
                    case .waiting(_, let until): deadline = until
                    // One that is busy now may be idle at once: it is looked at again when its time could be up.
                    case .busy, .ending: deadline = now + patience
                    }
                    guard deadline <= now else {
                        // Nobody rings for a connection that begins beside others: it is found in time, too.
                        let look = max(min(deadline, now + patience), now + Self.grain)
                        next = min(next ?? look, look)
                        continue
                    }
                    if case .waiting(let waker, _) = open.phase {
                        due.append(waker)
                        state.open[key]?.phase = .busy
                    } else {
                        shutdown(open.descriptor, Int32(SHUT_RDWR))
                        state.open[key]?.phase = .ending
                    }
                }
                state.next = next
                return (state.ended, next, due)
            }
            if ended { return }
            for waker in due { waker.ring() }
            bell.wait(until: next)
            bell.clear()
        }
    }

    /// Ends all waits, and after them the watch.
    func stop() {
        let waiting = state.withLock { state in
            state.ended = true
            return state.open.values.compactMap { open -> Waker? in
                if case .waiting(let waker, _) = open.phase { waker } else { nil }
            }
        }
        for waker in waiting { waker.end() }
        bell.ring()
    }

    private static func key(_ connection: OpaquePointer) -> UInt { UInt(bitPattern: connection) }
}
