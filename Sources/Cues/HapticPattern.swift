/// What the motor does for a cue: pulses, each after its pause. Empty: nothing.
package struct HapticPattern: Equatable, Hashable, Sendable {
    package let pulses: [Flash]

    package init(_ pulses: [Flash]) { self.pulses = pulses }
}
