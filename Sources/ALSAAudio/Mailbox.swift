import Hardware
import Synchronization
import Threads

/// What the capture thread is asked to do.
enum CaptureCommand: Equatable, Sendable {
    case step(MicrophoneStep)
    /// Close what is open and end the thread.
    case shutDown
}

/// The way to the capture thread: a short queue and a doorbell, which is readable while the queue is not empty, so
/// that one `poll` waits for a command and for frames.
///
/// The lock guards the queue and the doorbell together, so that one is readable exactly while the other is not empty.
final class Mailbox: Sendable {
    private let wakeUp = WakeUp()
    private let commands: Mutex<[CaptureCommand]>

    init() {
        var queue: [CaptureCommand] = []
        queue.reserveCapacity(8)
        commands = Mutex(queue)
    }

    /// For `poll`; readable when a command waits.
    var descriptor: Int32 { wakeUp.descriptor }

    func post(_ command: CaptureCommand) {
        commands.withLock { queue in
            queue.append(command)
            if queue.count == 1 { wakeUp.ring() }
        }
    }

    /// The oldest command, without waiting.
    func take() -> CaptureCommand? {
        commands.withLock { queue in
            guard !queue.isEmpty else { return nil }
            if queue.count == 1 { wakeUp.clear() }
            return queue.removeFirst()
        }
    }

    /// The oldest command. Blocks until there is one, or, with a deadline, until it has passed: then nil.
    func wait(until deadline: Duration? = nil) -> CaptureCommand? {
        while true {
            if let command = take() { return command }
            if let deadline, deadline <= MonotonicClock.now { return nil }
            wakeUp.wait(until: deadline)
        }
    }
}
