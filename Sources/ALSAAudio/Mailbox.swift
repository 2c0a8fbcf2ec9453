import CALSA
import Glibc
import Hardware
import Synchronization

/// What the capture thread is asked to do.
enum CaptureCommand: Equatable, Sendable {
    case step(MicrophoneStep)
    /// Close what is open and end the thread.
    case shutDown
}

/// The way to the capture thread: a short queue and an eventfd, which is readable while the queue is not empty, so
/// that one `poll` waits for a command and for frames.
///
/// The lock guards the queue and the eventfd together, so that one is readable exactly while the other is not empty.
/// Neither call on the eventfd can block: it is written at most once for each command.
final class Mailbox: Sendable {
    /// For `poll`; readable when a command waits.
    let descriptor: Int32
    private let commands: Mutex<[CaptureCommand]>

    /// Nil when the process has no descriptor left.
    init?() {
        descriptor = lapel_eventfd()
        guard descriptor >= 0 else { return nil }
        var queue: [CaptureCommand] = []
        queue.reserveCapacity(8)
        commands = Mutex(queue)
    }

    deinit { close(descriptor) }

    func post(_ command: CaptureCommand) {
        commands.withLock { queue in
            queue.append(command)
            if queue.count == 1 { eventfd_write(descriptor, 1) }
        }
    }

    /// The oldest command, without waiting.
    func take() -> CaptureCommand? {
        commands.withLock { queue in
            guard !queue.isEmpty else { return nil }
            if queue.count == 1 {
                var count: eventfd_t = 0
                eventfd_read(descriptor, &count)
            }
            return queue.removeFirst()
        }
    }

    /// The oldest command. Blocks until there is one, or, with a deadline, until it has passed: then nil.
    func wait(until deadline: Duration? = nil) -> CaptureCommand? {
        while true {
            if let command = take() { return command }
            var timeout: Int32 = -1
            if let deadline {
                let left = deadline - monotonicNow()
                if left <= .zero { return nil }
                timeout = left.pollTimeout
            }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            poll(&waiting, 1, timeout)
        }
    }
}
