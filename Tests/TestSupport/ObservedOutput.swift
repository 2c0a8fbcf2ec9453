import Hardware

/// A lamp or a motor and somebody who looks at it from outside, for `LampContract` and `MotorContract`.
package struct ObservedOutput {
    /// Nil after `letGo`.
    package private(set) var output: (any Output)?
    private let look: () throws -> Bool

    /// - Parameter look: whether the line is on, as another process or the wearer sees it.
    package init(_ output: any Output, look: @escaping () throws -> Bool) {
        self.output = output
        self.look = look
    }

    package func isOn() throws -> Bool { try look() }

    /// The last reference goes.
    package mutating func letGo() { output = nil }
}
