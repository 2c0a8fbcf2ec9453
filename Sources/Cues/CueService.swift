import Turn

/// Takes what happened and fans it out to lamp and motor. Nothing else in the program drives either.
///
/// 1. Of two outputs in a row for one line, no two are equal.
/// 2. The lamp comes before the motor, and at once: nothing is waited for.
/// 3. Whether vibration is muted is looked at when a cue is fired; a pattern that runs goes on.
/// 4. However late `advance` is called, it puts out the level that is due now, once.
///
/// Source of the events and channels: SPECIFICATION.md, "Cues".
package struct CueService: Equatable, Sendable {
    package enum Output: Equatable, Hashable, Sendable {
        case lamp(Bool)
        case motor(Bool)
    }

    private let hasLamp: Bool
    private let hasMotor: Bool
    private var haptics: Bool
    private var lamp = LampLine()
    private var motor = MotorLine()

    /// - Parameters:
    ///   - lamp: the board has a lamp.
    ///   - motor: the board has a motor.
    ///   - haptics: vibration is not muted.
    package init(lamp: Bool, motor: Bool, haptics: Bool) {
        hasLamp = lamp
        hasMotor = motor
        self.haptics = haptics
    }

    /// When `advance` has something to put out; nil while nothing changes by itself.
    package var deadline: Duration? {
        switch (lamp.deadline, motor.deadline) {
        case (let lamp?, let motor?): min(lamp, motor)
        case (let lamp?, nil): lamp
        case (nil, let motor): motor
        }
    }

    /// Something happened. Returns what changes at once.
    package mutating func fire(_ cue: Cue, at: Duration) -> [Output] {
        if hasLamp { lamp.begin(LampPattern.of(cue), at: at) }
        if hasMotor, haptics, let pattern = HapticPattern.of(cue) { motor.begin(pattern, at: at) }
        return advance(to: at)
    }

    /// Cuts whatever the lamp shows.
    package mutating func lampOff(at: Duration) -> [Output] {
        lamp.begin(.dark, at: at)
        return advance(to: at)
    }

    /// Time has passed. Returns what changes.
    package mutating func advance(to time: Duration) -> [Output] {
        var outputs: [Output] = []
        if let lit = lamp.advance(to: time) { outputs.append(.lamp(lit)) }
        if let moving = motor.advance(to: time) { outputs.append(.motor(moving)) }
        return outputs
    }

    /// Mutes vibration, or lets it be felt, from the next cue on.
    package mutating func setHaptics(_ on: Bool) { haptics = on }

    /// True when the motor, or the 60 ms in which it runs down, falls into this time: what the microphone
    /// heard then is not judged.
    package func motorNoise(overlaps time: Range<Duration>) -> Bool { motor.noise(overlaps: time) }
}
