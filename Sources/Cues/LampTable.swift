import Turn

/// The light of every cue. Source: SPECIFICATION.md, "Cues".
///
/// Solid is kept for the microphone alone: where one pattern follows another, the first thing it does is
/// to go dark. A fade, a breath and a slow pulse are, on a lamp without brightness, one last shine and two
/// speeds of slow blinking.
extension LampPattern {
    /// What the lamp shows for a cue.
    package static func of(_ cue: Cue) -> LampPattern {
        switch cue {
        case .starting: .solid
        case .listening: .solid
        case .countdown: .flip(.milliseconds(120))
        case .timeUp: .dark
        case .heard: breathing
        case .kept: .once([Flash(dark: 120, lit: 120), Flash(dark: 120, lit: 120)])
        case .nothingHeard: fadeOut
        case .discarded: fadeOut
        case .replyStarts: slowPulse
        case .replyWaiting: .once(slowDoubleBlink + slowDoubleBlink + slowDoubleBlink)
        case .stopped(let fault): blinks(fault.code)
        case .notReady: blinks(Fault.microphone.code)
        case .outboxFull: blinks(Fault.outboxFull.code)
        case .paired: .once([Flash(dark: 120, lit: 2000)])
        case .blink: .flip(.milliseconds(80))
        }
    }

    private static let breathing = LampPattern.repeating([Flash(dark: 1000, lit: 1000)])
    private static let slowPulse = LampPattern.repeating([Flash(dark: 500, lit: 500)])
    private static let fadeOut = LampPattern.once([Flash(dark: 60, lit: 400)])
    private static let slowDoubleBlink = [Flash(dark: 1000, lit: 150), Flash(dark: 250, lit: 150)]

    /// A fault's code: slow enough to count.
    private static func blinks(_ code: Int) -> LampPattern {
        .once(Array(repeating: Flash(dark: 350, lit: 200), count: code))
    }
}
