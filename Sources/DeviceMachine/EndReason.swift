import EndOfSpeech

/// Why an utterance ended, as the manifest names it.
package enum EndReason: String, Equatable, Sendable, CaseIterable {
    /// The rule heard the end: so much quiet came after the last speech. The reasons of `EndOfSpeech`.
    case hangover
    case quickHangover = "quick hangover"
    case doubtfulHangover = "doubtful hangover"
    /// The wearer pressed.
    case button
    /// The wearer let go of the button that was held to talk.
    case release
    /// The longest utterance was reached.
    case longest
    case nothingHeard = "nothing heard"
    case unplugged
    /// The microphone failed in the middle.
    case failed
    /// The card is full.
    case full
    case request
    case shutdown
    /// The battery is nearly empty.
    case battery
    /// The button's line went mad or was lost.
    case buttonFault = "button fault"
    /// Withdrawn before its first sample, or by a second press while it was starting.
    case abandoned
}

extension EndReason {
    /// The rule heard the end.
    init(_ reason: EndOfSpeech.Reason) {
        switch reason {
        case .hangover: self = .hangover
        case .quickHangover: self = .quickHangover
        case .doubtfulHangover: self = .doubtfulHangover
        }
    }
}
