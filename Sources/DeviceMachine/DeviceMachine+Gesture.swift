import EndOfSpeech
import Turn

extension DeviceMachine {
    /// What the thumb meant, done to the turn and its utterance, in order. The last may be `replayLastReply`: it says
    /// what the wearer notices of an end before it that leaves nothing to keep.
    mutating func perform(_ meant: [Gesture.Action], at now: Duration) {
        let isDouble = meant.last == .replayLastReply
        for action in meant { perform(action, isDouble: isDouble, at: now) }
    }

    private mutating func perform(_ action: Gesture.Action, isDouble: Bool, at now: Duration) {
        // Where no reply is expected none was ever kept: the ordinary cue is the true one.
        let farewell = isDouble && settings.repliesExpected ? Farewell.lastReply : .cue(.nothingHeard)
        switch action {
        case .begin: beginTurn(at: now)
        case .abandonStart: withdraw(at: now)
        case .stopStart:
            withdraw(at: now)
            bid(farewell, at: now)
        case .closeAndWait: endListening(.button, waits: true, at: now)
        case .commit: decide(.keep(cue: keptCue), at: now)
        case .discard: discard(at: now)
        case .endUtterance:
            let reason = isDouble || settings.mode == .memo ? EndReason.button : .release
            endListening(reason, waits: false, farewell: farewell, at: now)
        case .pushToTalk:
            change { $0.pushToTalk = true }
            // The thumb decides now: silence ends it no more than a pause does.
            limits.speechHeard()
        case .blink: cue(.blink, at: now)
        case .cancelWait:
            turn.stop()
            cue(.blink, at: now)
        case .stopReply:
            turn.stop()
            actions.append(.stopReply)
            emit(cues.lampOff(at: now))
        case .restart:
            turn.stop()
            beginTurn(at: now)
        case .replayLastReply: break  // said by the end before it
        }
    }

    /// The cue that tells that an utterance is kept; with replies the turn goes on and tells it later.
    var keptCue: Cue? { settings.repliesExpected ? nil : .kept }

    /// The lamp first, then the journal, then the card.
    private mutating func beginTurn(at now: Duration) {
        guard !isEnding else { return }
        if let refusal {
            cue(.outboxFull, at: now)
            actions.append(.log(.error, refusal))
            actions.append(.wakeShipper)
            actions.append(.checkRoom)
            return
        }
        guard let token = turn.begin() else { return }
        let id = newID()
        takes.append(Take(id: id, press: now, stage: .starting))
        cue(.starting, at: now)
        actions.append(.journal(.opening(press: id, reason: .press, token: token, at: now)))
        operate(card.want(.open(token), at: now), at: now)
        actions.append(.wakeShipper)
    }

    /// Ends a start, or a turn whose first sample has not come, without a trace but the journal's.
    private mutating func withdraw(at now: Duration) {
        if case .listening = stage {
            endListening(.abandoned, dropped: .nothing, at: now)
            return
        }
        turn.stop()
        dropStart(.abandoned, at: now)
        emit(cues.lampOff(at: now))
    }

    /// The start that is on its way leads to nothing: the card goes down again.
    mutating func dropStart(_ reason: EndReason, at now: Duration) {
        if let index = takes.firstIndex(where: { $0.stage == .starting }) {
            let take = takes.remove(at: index)
            journalClosed(take.id, reason, at: now)
        }
        operate(card.want(.closed, at: now), at: now)
    }

    mutating func journalClosed(_ id: UtteranceID, _ reason: EndReason, at now: Duration) {
        actions.append(.journal(.closed(press: id, reason: reason, summary: nil, at: now)))
    }

    /// The wearer takes the utterance back: before its end, or while its file waits in `rec/`.
    private mutating func discard(at now: Duration) {
        if case .thinking = stage { turn.stop() }
        switch stage.microphone {
        case .listening: endListening(.button, dropped: .cue(.discarded), at: now)
        case .starting:
            withdraw(at: now)
            cue(.discarded, at: now)
        case .unwanted:
            // A line that hums looks held: nothing is thrown away for it.
            decide(button.rests ? .drop(.cue(.discarded)) : .keep(cue: keptCue), at: now)
        }
    }

    /// Changes what the listening utterance knows; nil when none listens.
    @discardableResult
    mutating func change<R>(_ body: (inout Hearing) -> R) -> R? {
        guard let index = takes.indices.last else { return nil }
        return takes[index].change(body)
    }
}
