import CInput
import Glibc
import SystemFiles

/// An open input device that is ours alone, until the last reference goes.
///
/// The calls hold no lock: one system call each, and only the button's own thread reads events.
final class InputDevice: Sendable {
    /// Readable when an event waits.
    let descriptor: Int32
    /// Asking for the keys' levels throws away the asker's own waiting events (`evdev_handle_get_val` of the kernel):
    /// so another descriptor asks, which gets none.
    private let levels: Int32
    private let key: KeyName

    init(_ path: String, _ key: KeyName) throws(InputError) {
        self.key = key
        descriptor = lapel_input_open(path)
        levels = descriptor < 0 ? -1 : lapel_input_open(path)
        guard descriptor >= 0, levels >= 0 else { throw Self.refusal(path, "be opened", errno) }
        // From here on `deinit` closes it.
        guard lapel_input_has(descriptor, key.code) == 1 else {
            let offered = KeyName.table.filter { lapel_input_has(descriptor, $0.code) == 1 }.map(\.name)
            throw .noSuchKey(path: path, key: key.description, offered: offered)
        }
        guard lapel_input_grab(descriptor) == 0 else { throw Self.refusal(path, "be taken over", errno) }
    }

    deinit {
        for open in [descriptor, levels] where open >= 0 { close(open) }
    }

    /// Whether the key is down; nil when the device is gone.
    func isDown() -> Bool? {
        let down = lapel_input_is_down(levels, key.code)
        return down < 0 ? nil : down == 1
    }

    /// The events that wait, oldest first; none when none does, nil when the device is gone. Never blocks.
    func readEvents() -> [InputEvent]? {
        var raw = [lapel_input_event](
            repeating: lapel_input_event(), count: Int(LAPEL_INPUT_BATCH))
        let count = lapel_input_read(descriptor, &raw)
        guard count >= 0 else { return nil }
        return raw.prefix(Int(count)).map { InputEvent($0, key: key) }
    }

    private static func refusal(_ path: String, _ operation: String, _ code: Int32) -> InputError {
        switch code {
        case ENOENT, ENXIO, ENODEV, ENOTDIR: .missing(path: path)
        case EACCES, EPERM:
            .denied(path: path, remedy: DeviceFile(path: path, subsystem: "input", group: "input").remedy)
        case EBUSY: .busy(path: path)
        default: .failed(path: path, operation: operation, reason: String(cString: strerror(code)))
        }
    }
}

/// What an event of the device means for our key.
enum InputEvent: Equatable, Sendable {
    case changed(down: Bool, at: Duration)
    /// The end of what happened at one time.
    case report(at: Duration)
    /// The kernel's queue ran over.
    case dropped
    /// Another key, a repetition, an axis.
    case other

    init(_ event: lapel_input_event, key: KeyName) {
        let at = Duration.nanoseconds(event.nanoseconds)
        switch event.kind {
        case LAPEL_INPUT_KEY where event.code == key.code && event.value != 2:
            self = .changed(down: event.value == 1, at: at)
        case LAPEL_INPUT_REPORT: self = .report(at: at)
        case LAPEL_INPUT_DROPPED: self = .dropped
        default: self = .other  // C's enumeration: another key's events, and kinds that are none of ours
        }
    }
}
