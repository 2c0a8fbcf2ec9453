/// A line that is on or off: the lamp, the motor.
package protocol Output: AnyObject, Sendable {
    /// Returns at once; a line that is gone is ignored, because a turn never waits for its lamp.
    func set(_ on: Bool)
}

/// The channel of a board that has no such line.
package final class NoOutput: Output {
    package init() {}
    package func set(_ on: Bool) {}
}
