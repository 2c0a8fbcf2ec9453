import EndOfSpeech
import Hardware
import Turn

/// What the recorder did with an utterance's file.
package enum RecorderEvent: Equatable, Sendable {
    /// The file is whole and synced in `rec/`.
    case finished(UtteranceID, at: Duration)
    /// The file and its manifest are in `out/`, durably: the wearer may be told.
    case kept(UtteranceID, at: Duration)
    /// The file is gone, durably: salvage cannot bring it back.
    case discarded(UtteranceID, at: Duration)
    /// The card is full: no more can be added, what is there will be kept.
    case full(UtteranceID, at: Duration)
    /// It is kept, but the card did not take it at once: it wears out.
    case cardFailing(UtteranceID, reason: String, at: Duration)
    /// No file could be made or finished. What was recorded of it, if anything, waits as what a crash leaves does.
    case failed(UtteranceID, reason: String, at: Duration)
    /// Records of the microphone's journal could not be written, or not be brought to the card.
    case journalFailing(reason: String, at: Duration)
    /// Whether there is room for another recording; a sentence when there is none.
    case room(refusal: String?)
}

/// What became of kept recordings, and what the host said to them.
package enum CustodyEvent: Equatable, Sendable {
    /// The first bytes of the utterance were accepted by the host.
    case rung(UtteranceID, at: Duration)
    /// Both receipts are here.
    case stored(UtteranceID, at: Duration)
    /// The device's copy is gone.
    case letGo(UtteranceID, at: Duration)
    /// A foreign server has it; the device's copy is in `sent/` until room is needed.
    case setAside(UtteranceID, at: Duration)
    case parked(UtteranceID, reason: String, at: Duration)
    case unreachable(String, at: Duration)
    /// So many recordings are sealed to keys that the host does not hold.
    case heldBack(count: Int, at: Duration)
    /// Somebody else answers at the host's address.
    case mistrusted(String, at: Duration)
    case signOfLife(at: Duration)
    /// A reply to the utterance begins to play, `length` long.
    case replyPlaying(UtteranceID, length: Duration, at: Duration)
    case replyOver(UtteranceID, at: Duration)
}

/// Why a turn is ended from outside the turn.
package enum EndCause: String, Equatable, Sendable {
    /// `lapel end`.
    case request
    /// The service stops.
    case shutdown
    /// The system goes to sleep or shuts down, and waits a moment for what is being said.
    case sleep
}

/// Past facts, the only way into the machine.
package enum DeviceEvent: Equatable, Sendable {
    case button(ButtonEvent)
    /// The answer to `rereadButton`.
    case buttonLevel(down: Bool, at: Duration)
    case microphone(MicrophoneEvent)
    /// A reading of the microphone with what the front end heard in it; in place of the reading alone.
    case heard(LevelReading, SpeechFrames)
    case recorder(RecorderEvent)
    case host(CustodyEvent)
    /// The answer to `readBattery`; nil where there is no battery, or it does not tell.
    case battery(BatteryLevel?, at: Duration)
    /// The answer to `awaitMicrophone`, as a sentence.
    case microphoneReady(String, at: Duration)
    case endAsked(EndCause, at: Duration)

    /// When it happened, by the monotonic clock; nil for what has no time of its own.
    package var at: Duration? {
        switch self {
        case .button(.heldAtStart(let at)), .button(.returned(_, let at)), .buttonLevel(_, let at): at
        case .button(.edge(let edge)): edge.at
        case .button(.lost): nil
        case .microphone(let event): event.at
        case .heard(let reading, _): reading.at
        case .recorder(let event): event.at
        case .host(let event): event.at
        case .battery(_, let at), .microphoneReady(_, let at): at
        case .endAsked(_, let at): at
        }
    }
}

extension DeviceEvent {
    /// One of the ten a second that come while the microphone is open; unless it leads to an action, all is as before.
    package var isRoutine: Bool {
        switch self {
        case .heard, .microphone(.reading): true
        case .button, .buttonLevel, .microphone, .recorder, .host, .battery, .microphoneReady, .endAsked:
            false
        }
    }
}

extension MicrophoneEvent {
    /// When it happened, by the monotonic clock.
    var at: Duration {
        switch self {
        case .done(_, let at), .failed(_, _, let at), .firstFrames(let at), .fault(_, let at),
            .closed(_, let at):
            at
        case .reading(let reading): reading.at
        }
    }
}

extension RecorderEvent {
    var at: Duration? {
        switch self {
        case .finished(_, let at), .kept(_, let at), .discarded(_, let at), .full(_, let at),
            .failed(_, _, let at), .cardFailing(_, _, let at), .journalFailing(_, let at):
            at
        case .room: nil
        }
    }
}

extension CustodyEvent {
    var at: Duration {
        switch self {
        case .rung(_, let at), .stored(_, let at), .letGo(_, let at), .setAside(_, let at),
            .parked(_, _, let at),
            .unreachable(_, let at), .heldBack(_, let at), .mistrusted(_, let at), .signOfLife(let at),
            .replyPlaying(_, _, let at), .replyOver(_, let at):
            at
        }
    }
}
