import Hardware

/// Makes edges of a device's events.
///
/// After `SYN_DROPPED` everything up to the next report is thrown away, and the key is read anew (the kernel's
/// `Documentation/input/event-codes.rst`, "SYN_DROPPED").
struct KeyEvents: Equatable, Sendable {
    private var isDropping = false
    private var down: Bool

    init(down: Bool) { self.down = down }

    /// The edge that an event means; nil for none. `reread` is asked after a loss: the level now.
    mutating func take(_ event: InputEvent, reread: () -> Bool?) -> Edge? {
        switch event {
        case .changed(let down, let at):
            guard !isDropping else { return nil }
            self.down = down
            return Edge(down: down, at: at)
        case .dropped:
            isDropping = true
            return nil
        case .report(let at):
            guard isDropping else { return nil }
            isDropping = false
            guard let level = reread(), level != down else { return nil }
            down = level
            return Edge(down: level, at: at)
        case .other: return nil
        }
    }
}
