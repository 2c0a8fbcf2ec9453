import Hardware
import Synchronization
import Threads

/// A lamp or a motor on a GPIO line; active is high.
///
/// Some kernels keep an output driven after the process has died: `lapel outputs-off` then sets it inactive.
package final class GPIOOutput: Output {
    private struct State {
        var line: RequestedLine?
        /// A line that is gone is looked for again at the first change after this.
        var lookAt = Duration.zero
    }

    private let address: LineAddress
    private let folder: String
    private let state: Mutex<State>

    /// Requests the line, inactive.
    package init(_ address: LineAddress, folder: String = "/dev") throws(GPIOError) {
        self.address = address
        self.folder = folder
        state = Mutex(State(line: try RequestedLine(address, .output, folder: folder)))
    }

    /// The line is left inactive: a kernel that keeps it as it was would leave a lamp lit or a motor running.
    deinit { state.withLock { _ = $0.line?.set(false) } }

    package func set(_ on: Bool) {
        // One caller, the loop: the lock is never waited for.
        state.withLock { state in
            if let line = state.line, line.set(on) { return }
            state.line = nil
            let now = MonotonicClock.now
            guard now >= state.lookAt else { return }
            state.lookAt = now + .seconds(1)
            state.line = try? RequestedLine(address, .output, folder: folder)
            if on { _ = state.line?.set(on) }
        }
    }

    /// Sets the line inactive and lets it go, for `lapel outputs-off`.
    package static func turnOff(_ address: LineAddress, folder: String = "/dev") throws(GPIOError) {
        _ = try RequestedLine(address, .output, folder: folder)
    }
}
