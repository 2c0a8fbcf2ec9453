extension Gesture {
    /// What a press means. One for the whole device, from the settings.
    package enum Mode: Equatable, Hashable, Sendable, CaseIterable {
        /// A turn for each press; the end of speech ends it.
        case press
        /// Push to talk: the turn lasts as long as the press.
        case hold
        /// A press starts, a press ends; for hours.
        case memo
    }

    /// What a press does while a reply is waited for.
    package enum PressWhileThinking: Equatable, Hashable, Sendable, CaseIterable {
        case nothing
        /// The wait ends and a turn begins.
        case new
    }

    /// Where the turn is, as a press sees it: the phase, with a start on its way told apart.
    package enum Stage: Equatable, Hashable, Sendable, CaseIterable {
        case off
        case stopped
        case starting
        case listening
        case thinking
        case speaking

        package init(of turn: VoiceTurn) {
            switch turn.phase {
            case .off: self = turn.starting ? .starting : .off
            case .stopped: self = turn.starting ? .starting : .stopped
            case .listening: self = .listening
            case .thinking: self = .thinking
            case .speaking: self = .speaking
            }
        }
    }

    /// What the device is to do, now and in this order.
    package enum Action: Equatable, Hashable, Sendable, CaseIterable {
        /// Begin a turn.
        case begin
        /// The opening press was a glitch: stop the turn before its first sample. Counted, no cue.
        case abandonStart
        /// Stop the turn that is starting.
        case stopStart
        /// The microphone closes and the file is finished; the file stays in `rec/`. Exactly one `commit`
        /// or `discard` follows.
        case closeAndWait
        /// The waiting file goes to the outbox.
        case commit
        /// The utterance is dropped, with the cue `discarded`: the waiting file, or, in mode `hold` and in
        /// push-to-talk, what the live turn recorded so far. A live turn ends with it.
        case discard
        /// The utterance is over: close and commit.
        case endUtterance
        /// The press has become push-to-talk: the end of speech marks this utterance and does not end it.
        case pushToTalk
        /// Feedback and nothing else: one blink of the lamp.
        case blink
        /// The wait for the reply ends; the utterance still ships.
        case cancelWait
        /// The reply stops.
        case stopReply
        /// Stop, then begin.
        case restart
        /// Always the last of its list: the end just asked for brings the last reply instead of the cue
        /// `nothingHeard`.
        case replayLastReply
    }
}
