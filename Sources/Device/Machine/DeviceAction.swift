import EndOfSpeech
import Hardware
import Turn

/// What the machine wants done. Every effect the device has is one of these.
enum DeviceAction: Equatable, Sendable {
    case lamp(Bool)
    case motor(Bool)
    /// One step of the sound card; never a second before the first is answered, save `close` during `read`.
    case microphone(MicrophoneStep)
    case journal(LedgerEntry)
    /// Make the utterance's file; frames are on their way.
    case beginRecording(UtteranceID, press: Duration)
    /// All frames are in the queue: finish the file, synced, in `rec/`.
    case finishRecording(UtteranceID, TakeFacts)
    case commit(UtteranceID)
    case discard(UtteranceID)
    /// A press or a new utterance: the transfer tries again now.
    case wakeShipper
    case stopReply
    case replayLastReply
    /// Ask the button for its level, in case a release was lost.
    case rereadButton
    /// Whether there is room for another recording.
    case checkRoom
    /// How full the battery is.
    case readBattery
    /// The microphone is not there: tell when it is.
    case awaitMicrophone
    case log(LogLevel, String)
    /// Everything recorded is kept and the microphone is closed: the program may end.
    case end
}

/// A record of the microphone's journal. An opening cannot be written without the turn's token, so an opening
/// that no press explains cannot be written down.
package enum LedgerEntry: Equatable, Sendable {
    case opening(press: UtteranceID, token: VoiceTurn.Token, at: Duration)
    case firstSample(press: UtteranceID, afterPress: Duration, at: Duration)
    /// Every opening has exactly one; `summary` is nil when the card had not begun to read.
    case closed(press: UtteranceID, reason: String, summary: CaptureSummary?, at: Duration)
}

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
    init(_ reason: EndOfSpeech.Reason) {
        switch reason {
        case .hangover: self = .hangover
        case .quickHangover: self = .quickHangover
        case .doubtfulHangover: self = .doubtfulHangover
        }
    }
}

/// What the machine knows of an utterance when it has ended; the recorder makes the manifest of it.
struct TakeFacts: Equatable, Sendable {
    let reason: EndReason
    let speechSeconds: Double
    let rule: String
    let ruleParameters: [String: Double]
    let readings: [TakenReading]
    let summary: CaptureSummary
    let press: Duration
    let firstSample: Duration?
    let firstSpeech: Duration?
    let ended: Duration
    let mode: String
}
