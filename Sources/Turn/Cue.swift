/// What happened, for the wearer. One service turns it into sound, vibration and light; the turn never does.
///
/// Source: SPECIFICATION.md, "Cues".
package enum Cue: Equatable, Hashable, Sendable {
    /// The press edge: a turn begins.
    case starting
    /// The first sample was captured.
    case listening
    /// The longest utterance ends in this many seconds.
    case countdown(secondsLeft: Int)
    /// The longest utterance was reached.
    case timeUp
    /// The utterance is over and the microphone closed; a reply is waited for.
    case heard
    /// The utterance is kept, and no reply is waited for.
    case kept
    /// Too little speech: nothing was kept.
    case nothingHeard
    /// The wearer dropped the utterance.
    case discarded
    /// The reply begins to play.
    case replyStarts
    /// A reply is there and waits to be played.
    case replyWaiting
    /// The turn was ended by a fault.
    case stopped(Fault)
    /// A press before the microphone is there.
    case notReady
    /// A press while the outbox takes nothing more.
    case outboxFull
    /// The device is paired with a host.
    case paired
    /// A press was felt and does nothing.
    case blink

    /// The fault whose code the lamp shows; nil for everything that is none.
    package var fault: Fault? {
        switch self {
        case .stopped(let fault): fault
        case .notReady: .microphone
        case .outboxFull: .outboxFull
        case .starting, .listening, .countdown, .timeUp, .heard, .kept, .nothingHeard, .discarded,
            .replyStarts,
            .replyWaiting, .paired, .blink:
            nil
        }
    }
}
