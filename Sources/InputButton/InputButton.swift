// Invariants
// 1. The thread only stamps and enqueues: it waits for the device or for `shutDown`, reads, reports.
// 2. Every edge bears the kernel's stamp; one that stands for events which the kernel's queue lost bears that of the
//    report after the loss.
// 3. A device that is gone is reported lost once, then returned once: nothing is reported in between.
// 4. Only the thread replaces the device; the lock is held for the exchange alone, never during a system call.

import Glibc
import Hardware
import Synchronization
import Threads

/// A key of an input device as the button: `gpio-keys`, a USB foot switch, a Bluetooth clicker.
package final class InputButton: ButtonSource {
    private struct State {
        var device: InputDevice?
        var ended = false
        var thread: NamedThread?
    }

    private let path: String
    private let key: KeyName
    private let wakeUp = WakeUp()
    private let state: Mutex<State>

    /// Pauses between two looks for a device that is gone and whose folder does not change: doubled from the first
    /// to the last.
    private static let pauses = (first: Duration.milliseconds(250), last: Duration.seconds(5))

    /// Opens the device for itself alone. One that is not there yet (a clicker asleep) is reported lost at the start,
    /// and returned when it comes; every other refusal is thrown.
    package init(path: String, key name: String) throws(InputError) {
        guard let key = KeyName(name) else { throw .unknownKey(name) }
        self.path = path
        self.key = key
        var device: InputDevice?
        do { device = try InputDevice(path, key) } catch {
            guard case .missing = error else { throw error }
        }
        state = Mutex(State(device: device))
    }

    package func start(report: @escaping @Sendable (ButtonEvent) -> Void) {
        let device = current
        // What happened before the program was ready is no press of now.
        while let waiting = device?.readEvents(), !waiting.isEmpty {}
        let held = device?.isDown() ?? false
        let at = MonotonicClock.now
        // From here on the kernel keeps every event for the thread.
        let thread = NamedThread("button") { [self] in
            if held { report(.heldAtStart(at: at)) }
            watch(report, device, down: held)
        }
        state.withLock { $0.thread = thread }
    }

    package func isDown() -> Bool? { current?.isDown() }

    /// Ends the thread and closes the device. Afterwards nothing is reported.
    package func shutDown() {
        let thread = state.withLock { state in
            state.ended = true
            defer { state.thread = nil }
            return state.thread
        }
        wakeUp.ring()
        thread?.join()
        state.withLock { $0.device = nil }
    }

    private var current: InputDevice? { state.withLock { $0.device } }
    private var ended: Bool { state.withLock { $0.ended } }

    private func watch(_ report: (ButtonEvent) -> Void, _ first: InputDevice?, down held: Bool) {
        var device = first
        var down = held
        while !ended {
            if let watched = device, readUntilGone(watched, down: down, report) { return }
            report(.lost(lossSentence(wasThere: device != nil)))
            device = nil
            state.withLock { $0.device = nil }
            guard let back = waitForReturn() else { return }
            down = back.isDown() ?? false
            report(.returned(down: down, at: MonotonicClock.now))
            device = back
        }
    }

    private func lossSentence(wasThere: Bool) -> String {
        wasThere
            ? "The button \(path) was unplugged or switched off." : InputError.missing(path: path).description
    }

    /// True when the button was shut down, false when the device is gone.
    private func readUntilGone(_ device: InputDevice, down: Bool, _ report: (ButtonEvent) -> Void) -> Bool {
        var keys = KeyEvents(down: down)
        while !ended {
            switch wakeUp.wait(beside: device.descriptor) {
            case .rung: wakeUp.clear()
            case .gone: return ended
            case .ready:
                guard let events = device.readEvents() else { return ended }
                for event in events {
                    if let edge = keys.take(event, reread: { device.isDown() }) { report(.edge(edge)) }
                }
            }
        }
        return true
    }

    /// The device, opened anew when it is back; nil when the button was shut down meanwhile.
    private func waitForReturn() -> InputDevice? {
        var pause = Self.pauses.first
        while !ended {
            // Watched before it is looked for: what appears in between is not missed.
            let folder = FolderWatch(of: path)
            if let device = try? InputDevice(path, key) {
                state.withLock { $0.device = device }
                return device
            }
            let deadline = MonotonicClock.now + pause
            if folder.descriptor < 0 {
                wakeUp.wait(until: deadline)
            } else {
                _ = wakeUp.wait(beside: folder.descriptor, until: deadline)
            }
            wakeUp.clear()
            pause = min(pause * 2, Self.pauses.last)
        }
        return nil
    }
}
