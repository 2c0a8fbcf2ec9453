import CLinux
import Glibc

/// A thread of the program's own, with a name that `top -H` shows.
///
/// Waiting for it is `join`; a thread is never cancelled from outside.
package final class NamedThread: Sendable {
    private struct Handle: @unchecked Sendable { let id: pthread_t }
    private let handle: Handle

    /// Starts `body` on a new thread. `name` has at most 15 bytes (`PR_SET_NAME` of `prctl(2)`).
    /// Traps when the kernel gives no thread: the program cannot do its work then.
    package init(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Body(name: name, run: body))
        var id = pthread_t()
        let result = pthread_create(&id, nil, runBody, box.toOpaque())
        precondition(
            result == 0, "the kernel gives no thread for \(name): \(String(cString: strerror(result)))")
        handle = Handle(id: id)
    }

    /// Blocks until the thread's body has returned. Called once; on the thread itself, which cannot wait for its own
    /// end, it only lets go.
    package func join() {
        if pthread_equal(handle.id, pthread_self()) != 0 {
            pthread_detach(handle.id)
        } else {
            pthread_join(handle.id, nil)
        }
    }
}

private final class Body: Sendable {
    let name: String
    let run: @Sendable () -> Void

    init(name: String, run: @escaping @Sendable () -> Void) {
        self.name = name
        self.run = run
    }
}

private func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
    lapel_name_thread(body.name)
    // Signals are for the thread that waits for them.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    body.run()
    return nil
}
