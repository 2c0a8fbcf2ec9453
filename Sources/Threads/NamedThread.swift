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

    /// Blocks until the thread's body has returned. Called once, from another thread.
    package func join() { pthread_join(handle.id, nil) }
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
    body.run()
    return nil
}
