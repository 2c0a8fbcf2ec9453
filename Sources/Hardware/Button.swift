/// A change of the button's line.
///
/// `at` is the kernel's stamp: time since the zero of `CLOCK_MONOTONIC`.
package struct Edge: Equatable, Sendable {
    /// True when the thumb went down.
    package let down: Bool
    package let at: Duration

    package init(down: Bool, at: Duration) {
        self.down = down
        self.at = at
    }
}

/// What a button's driver reports.
package enum ButtonEvent: Equatable, Sendable {
    /// The line was already down when the driver began: not a press.
    case heldAtStart(at: Duration)
    case edge(Edge)
    /// The line is gone (unplugged, chip unbound); the sentence says which.
    case lost(String)
    /// The line is back; its level now.
    case returned(down: Bool, at: Duration)
}

/// Where presses come from. A software press exists only in `Simulator`.
package protocol ButtonSource: AnyObject, Sendable {
    /// Reports from the source's own thread, which only stamps and enqueues. Called once.
    func start(report: @escaping @Sendable (ButtonEvent) -> Void)
    /// The line's level now; nil when it cannot be read. Asked once a second while a press is believed held.
    func isDown() -> Bool?
}
