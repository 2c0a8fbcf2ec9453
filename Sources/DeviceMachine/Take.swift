import EndOfSpeech
import Hardware
import Turn

/// One utterance from its press until its file is in `out/` or gone.
struct Take: Equatable, Sendable {
    let id: UtteranceID
    let press: Duration
    var stage: Stage

    enum Stage: Equatable, Sendable {
        /// The card is on its way up.
        case starting
        /// The microphone is open.
        case listening(Hearing)
        /// The turn is over for the microphone; the card is closing.
        case closing(Hearing, Ending)
        /// The recorder finishes the file.
        case finishing(Ending)
        /// The file waits in `rec/` for the thumb: kept on release, discarded when held.
        case waiting
        /// Commit or discard was asked for.
        case settling(Fate)
    }
}

extension Take {
    /// Changes what is being heard; nil when this utterance does not listen. In place: a memo has 144,000 readings.
    mutating func change<R>(_ body: (inout Hearing) -> R) -> R? {
        guard case .listening(var hearing) = stage else { return nil }
        stage = .starting  // lets go of the other reference, which would make every change a copy
        defer { stage = .listening(hearing) }
        return body(&hearing)
    }
}

/// What was heard so far.
struct Hearing: Equatable, Sendable {
    var rule: EndOfSpeech
    /// One for each 100 ms, the first at the first sample.
    var readings: [TakenReading] = []
    var firstSample: Duration?
    /// When the first reading that the rule takes for speech began.
    var firstSpeech: Duration?
    /// Held to talk: the rule marks, the release ends.
    var pushToTalk = false

    /// Seconds of audio by `now`.
    func audio(at now: Duration) -> Duration { firstSample.map { now - $0 } ?? .zero }
}

/// What becomes of an ended utterance.
enum Fate: Equatable, Sendable {
    /// It goes to `out/`; then the cue, if the turn has none of its own.
    case keep(cue: Cue?)
    case drop(Farewell)
}

/// What the wearer notices when an utterance is dropped.
enum Farewell: Equatable, Sendable {
    case nothing
    case cue(Cue)
    case lastReply
}

/// How an utterance ended.
struct Ending: Equatable, Sendable {
    let reason: EndReason
    /// Nil while the thumb decides.
    var fate: Fate?
    let at: Duration
}
