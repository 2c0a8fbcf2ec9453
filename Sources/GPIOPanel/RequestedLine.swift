import CGPIOD
import Glibc
import Hardware

extension LineBias {
    var code: lapel_gpio_bias {
        switch self {
        case .pullUp: LAPEL_GPIO_PULL_UP
        case .pullDown: LAPEL_GPIO_PULL_DOWN
        case .none: LAPEL_GPIO_NO_BIAS
        }
    }
}

/// What a line is requested for.
enum LineDirection: Equatable, Sendable {
    /// Both edges, not debounced by the kernel: that would stamp after its wait.
    case input(bias: LineBias, activeLow: Bool)
    /// Inactive until it is set.
    case output
}

/// A line that is ours until the last reference goes.
///
/// The calls hold no lock: `value` and `set` are one system call each, and only the button's own thread reads edges.
final class RequestedLine: Sendable {
    private struct Handle: @unchecked Sendable { let line: UnsafeMutablePointer<lapel_gpio_line> }
    private let handle: Handle
    /// Readable when an edge waits. Minus one for an output.
    let descriptor: Int32

    /// - Parameter folder: where the chips' device files are.
    init(_ address: LineAddress, _ direction: LineDirection, folder: String) throws(GPIOError) {
        let found = try FoundLine(address, folder: folder)
        guard let line = found.chip.request(direction, offset: found.offset) else {
            throw found.refusal(address, errno)
        }
        handle = Handle(line: line)
        descriptor = direction == .output ? -1 : lapel_gpio_descriptor(line)
    }

    deinit { lapel_gpio_release(handle.line) }

    /// Whether the line is active; nil when it cannot be read.
    func isActive() -> Bool? {
        let value = lapel_gpio_value(handle.line)
        return value < 0 ? nil : value == 1
    }

    /// False when the line is gone.
    func set(_ active: Bool) -> Bool { lapel_gpio_set(handle.line, active ? 1 : 0) == 0 }

    /// The edges that wait, oldest first, at most `LAPEL_GPIO_QUEUE`; nil when the line is gone. Blocks while none
    /// waits: called when the descriptor has something.
    func readEdges() -> [LineEdge]? {
        var edges = [lapel_gpio_edge](repeating: lapel_gpio_edge(), count: Int(LAPEL_GPIO_QUEUE))
        let count = lapel_gpio_read(handle.line, &edges)
        guard count >= 0 else { return errno == EINTR ? [] : nil }
        return edges.prefix(Int(count)).map { edge in
            LineEdge(
                active: edge.active != 0, at: .nanoseconds(edge.nanoseconds),
                sequence: edge.sequence == 0 ? nil : edge.sequence)
        }
    }
}
