import CMicrohttpd
import Glibc
import Synchronization
import Threads

// libmicrohttpd ends a connection on which nothing comes for 30 s. One that sends a byte now and then it keeps for ever,
// be it in the handshake, in the headers, or in a body that nobody wants.
//
// Invariants
//  1. Between two requests that the host works on, a connection has `patience` to make its next one known: handshake,
//     headers, and the body of whatever is refused or is a pairing. Then it is shut down.
//  2. A descriptor is touched only while its connection is known to be open: libmicrohttpd tells of the end before it
//     closes the descriptor, and that waits for this lock.

/// Ends connections that take too long to say what they want.
final class ConnectionWatch: Sendable {
    private struct Open: Sendable {
        let descriptor: Int32
        /// When it was last done with something; nil while a request of a known device is served.
        var idleSince: Duration?
    }

    private struct State: Sendable {
        var open: [UInt: Open] = [:]
        var ended = false
    }

    private let patience: Duration
    private let state = Mutex(State())
    private let bell = WakeUp()

    init(patience: Duration) { self.patience = patience }

    func began(_ connection: OpaquePointer, _ descriptor: Int32) {
        let first = state.withLock { state in
            state.open[Self.key(connection)] = Open(descriptor: descriptor, idleSince: MonotonicClock.now)
            return state.open.count == 1
        }
        if first { bell.ring() }
    }

    /// A request of a known device: it may take as long as its bytes come.
    func busy(_ connection: OpaquePointer) {
        state.withLock { $0.open[Self.key(connection)]?.idleSince = nil }
    }

    func idle(_ connection: OpaquePointer) {
        state.withLock { $0.open[Self.key(connection)]?.idleSince = MonotonicClock.now }
    }

    func ended(_ connection: OpaquePointer) {
        state.withLock { _ = $0.open.removeValue(forKey: Self.key(connection)) }
    }

    /// The watch's own thread; returns after `stop`.
    func run() {
        while true {
            let now = MonotonicClock.now
            let (ended, next) = state.withLock { state in
                var next: Duration?
                for (key, open) in state.open {
                    // One that is busy now may be idle at once: it is looked at again when its time could be up.
                    let deadline = (open.idleSince ?? now) + patience
                    if deadline <= now {
                        shutdown(open.descriptor, Int32(SHUT_RDWR))
                        // Its thread notices; it is told to be over once.
                        state.open[key]?.idleSince = nil
                    } else {
                        next = min(next ?? deadline, deadline)
                    }
                }
                return (state.ended, next)
            }
            if ended { return }
            bell.wait(until: next)
            bell.clear()
        }
    }

    func stop() {
        state.withLock { $0.ended = true }
        bell.ring()
    }

    private static func key(_ connection: OpaquePointer) -> UInt { UInt(bitPattern: connection) }
}
