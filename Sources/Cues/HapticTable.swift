import Turn

/// The vibration of every cue. Source: SPECIFICATION.md, "Cues".
///
/// A cue without a vibration lets the one before it end, except `listening`: the first sample is captured,
/// and nothing of ours may be heard in the recording.
extension HapticPattern {
    /// What the motor does for a cue; nil leaves it alone.
    package static func of(_ cue: Cue) -> HapticPattern? {
        switch cue {
        case .starting: HapticPattern([Flash(dark: 0, lit: 30)])
        case .listening: HapticPattern([])
        case .countdown: HapticPattern([Flash(dark: 0, lit: 15)])
        case .timeUp: long
        case .heard: HapticPattern([Flash(dark: 0, lit: 40), Flash(dark: 80, lit: 40)])
        case .kept: HapticPattern([Flash(dark: 0, lit: 40), Flash(dark: 240, lit: 40)])
        case .nothingHeard: HapticPattern([Flash(dark: 0, lit: 120)])
        case .discarded:
            HapticPattern([Flash(dark: 0, lit: 30), Flash(dark: 70, lit: 30), Flash(dark: 70, lit: 30)])
        case .replyStarts: nil
        case .replyWaiting: HapticPattern([Flash(dark: 0, lit: 60)])
        case .stopped: long
        case .notReady: long
        case .outboxFull: long
        case .paired:
            HapticPattern([Flash(dark: 0, lit: 40), Flash(dark: 100, lit: 80), Flash(dark: 100, lit: 160)])
        case .blink: nil
        }
    }

    private static let long = HapticPattern([Flash(dark: 0, lit: 400)])
}
