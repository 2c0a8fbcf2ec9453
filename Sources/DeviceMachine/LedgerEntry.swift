import Hardware
import Turn

/// Why the microphone is opened.
package enum OpeningReason: String, Equatable, Sendable, CaseIterable {
    /// The wearer pressed.
    case press
    /// Somebody called `lapel meter`, to see what it hears.
    case meter
    /// Somebody called `lapel doctor`, to have it tried.
    case doctor
}

/// A record of the microphone's journal. `press` names the opening: the utterance that its press began, or the command.
///
/// An opening cannot be written without its reason and the token of the turn that somebody asked for.
package enum LedgerEntry: Equatable, Sendable {
    case opening(press: UtteranceID, reason: OpeningReason, token: VoiceTurn.Token, at: Duration)
    case firstSample(press: UtteranceID, afterPress: Duration, at: Duration)
    /// Every opening has exactly one; `summary` is nil when the card had not begun to read.
    case closed(press: UtteranceID, reason: EndReason, summary: CaptureSummary?, at: Duration)
}
