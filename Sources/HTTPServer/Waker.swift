import CMicrohttpd
import Synchronization

// Invariants
//  1. A ring is never lost: one that comes between the question and the wait makes the question be asked again.
//  2. A connection is suspended and resumed under this lock, and resumed only while it is suspended: libmicrohttpd ends
//     no suspended connection, so its pointer holds that long.
//  3. Once over, nothing is suspended any more: whoever stops the server ends every waker before, for libmicrohttpd may
//     not be stopped while a connection is suspended.

/// Wakes one request that waits. A site keeps it where what is waited for becomes known.
package final class Waker: Sendable {
    private struct Connection: @unchecked Sendable { let pointer: OpaquePointer }

    private enum State: Sendable {
        /// The site is being asked, or nothing is waited for.
        case awake
        /// Rung since the site was asked.
        case rung
        case suspended(Connection)
        case over
    }

    private let state = Mutex(State.awake)

    init() {}

    /// Has the site asked again. From any thread, as often as one likes, also when nothing waits any more; takes
    /// microseconds.
    package func ring() {
        state.withLock { state in
            switch state {
            case .awake: state = .rung
            case .suspended(let connection):
                state = .awake
                MHD_resume_connection(connection.pointer)
            case .rung, .over: break
            }
        }
    }

    /// The question that follows sees whatever was rung for.
    func clear() {
        state.withLock { if case .rung = $0 { $0 = .awake } }
    }

    enum Rest: Equatable {
        /// The connection is suspended and takes no thread's time.
        case suspended
        /// It was rung: the site is to be asked again.
        case disturbed
        /// The server stops, or nobody is there any more: the connection is to be closed.
        case refused
    }

    /// Suspends the connection; on its loop's thread, inside one of libmicrohttpd's callbacks for it.
    func suspend(_ connection: OpaquePointer) -> Rest {
        state.withLock { state in
            switch state {
            case .awake:
                MHD_suspend_connection(connection)
                state = .suspended(Connection(pointer: connection))
                return .suspended
            case .rung:
                state = .awake
                return .disturbed
            // Nobody asks for a connection that is suspended.
            case .suspended: return .suspended
            case .over: return .refused
            }
        }
    }

    /// The server stops: a suspended connection goes on and is refused its next wait.
    func end() {
        state.withLock { state in
            if case .suspended(let connection) = state { MHD_resume_connection(connection.pointer) }
            state = .over
        }
    }
}
