// Invariants
// 1. The line is requested before the program is ready, so that a wrong name is one sentence at the start.
// 2. The thread only stamps and enqueues: it waits for the line or for `shutDown`, reads, reports.
// 3. Every edge bears the kernel's stamp. One that stands for edges which the kernel's queue lost is stamped when the
//    level was read.
// 4. A line that is gone is reported lost once, then returned once: nothing is reported in between.
// 5. Only the thread replaces the line; the lock is held for the exchange alone, never during a system call.

import Glibc
import Hardware
import Synchronization
import Threads

/// A button on a GPIO line.
package final class GPIOButton: ButtonSource {
    private struct State {
        var line: RequestedLine?
        var ended = false
        var thread: NamedThread?
    }

    private let address: LineAddress
    private let direction: LineDirection
    private let folder: String
    private let wakeUp = WakeUp()
    private let state: Mutex<State>

    /// Pauses between two looks for a line that is gone: doubled from the first to the last.
    private static let pauses = (first: Duration.milliseconds(250), last: Duration.seconds(5))

    /// Requests the line: both edges, the kernel's debouncing off.
    ///
    /// - Parameters:
    ///   - bias: what holds the line while the button is up.
    ///   - activeLow: down is the low level.
    ///   - folder: where the chips' device files are.
    package init(
        _ address: LineAddress, bias: LineBias, activeLow: Bool, folder: String = "/dev"
    ) throws(GPIOError) {
        self.address = address
        self.folder = folder
        direction = .input(bias: bias, activeLow: activeLow)
        state = Mutex(State(line: try RequestedLine(address, direction, folder: folder)))
    }

    package func start(report: @escaping @Sendable (ButtonEvent) -> Void) {
        let line = current
        if let line { dropWaiting(line) }
        let held = line?.isActive() == true
        let at = MonotonicClock.now
        // From here on the kernel keeps every edge for the thread.
        let thread = NamedThread("button") { [self] in
            if held { report(.heldAtStart(at: at)) }
            watch(report)
        }
        state.withLock { $0.thread = thread }
    }

    package func isDown() -> Bool? {
        guard let line = current else { return nil }
        let level = line.isActive()
        // Older kernels do not wake a reader whose chip goes: the thread looks for itself.
        if level == nil { wakeUp.ring() }
        return level
    }

    /// Ends the thread and releases the line. Afterwards nothing is reported.
    package func shutDown() {
        let thread = state.withLock { state in
            state.ended = true
            defer { state.thread = nil }
            return state.thread
        }
        wakeUp.ring()
        thread?.join()
        state.withLock { $0.line = nil }
    }

    private var current: RequestedLine? { state.withLock { $0.line } }
    private var ended: Bool { state.withLock { $0.ended } }

    private func watch(_ report: (ButtonEvent) -> Void) {
        var line = current
        while let watched = line {
            if readUntilGone(watched, report) { return }
            line = nil
            state.withLock { $0.line = nil }
            report(.lost("The button's line \(address) is gone: its chip was unplugged or its driver ended."))
            line = waitForReturn()
            guard let back = line else { return }
            report(.returned(down: back.isActive() ?? false, at: MonotonicClock.now))
        }
    }

    /// Throws away what happened before the program was ready: a press of then is none of now.
    private func dropWaiting(_ line: RequestedLine) {
        while wakeUp.wait(beside: line.descriptor, until: .zero) == .ready, line.readEdges() != nil {}
    }

    /// True when the button was shut down, false when the line is gone.
    private func readUntilGone(_ line: RequestedLine, _ report: (ButtonEvent) -> Void) -> Bool {
        var gaps = EdgeGaps()
        while !ended {
            switch wakeUp.wait(beside: line.descriptor) {
            case .rung:
                wakeUp.clear()
                if !ended, line.isActive() == nil { return false }
                continue
            case .gone: return ended
            case .ready: break
            }
            guard let edges = line.readEdges() else { return ended }
            for edge in edges { report(.edge(Edge(down: edge.active, at: edge.at))) }
            if gaps.mayMiss(edges), let level = line.isActive(), level != edges.last?.active {
                report(.edge(Edge(down: level, at: MonotonicClock.now)))
            }
        }
        return true
    }

    /// The line, requested anew when it is back; nil when the button was shut down meanwhile.
    private func waitForReturn() -> RequestedLine? {
        var pause = Self.pauses.first
        while !ended {
            wakeUp.clear()
            wakeUp.wait(until: MonotonicClock.now + pause)
            if ended { return nil }
            if let line = try? RequestedLine(address, direction, folder: folder) {
                state.withLock { $0.line = line }
                return line
            }
            pause = min(pause * 2, Self.pauses.last)
        }
        return nil
    }
}
