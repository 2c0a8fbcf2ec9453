import Hardware
import Turn

extension DeviceMachine {
    /// The fate of the utterance that waits for the thumb, now or as soon as its file is finished.
    mutating func decide(_ fate: Fate, at now: Duration) {
        guard let index = takes.lastIndex(where: { $0.isUndecided }) else { return }
        switch takes[index].stage {
        case .waiting: settle(index, fate)
        case .closing(let hearing, var ending):
            ending.fate = fate
            takes[index].stage = .closing(hearing, ending)
        case .finishing(var ending):
            ending.fate = fate
            takes[index].stage = .finishing(ending)
        case .starting, .listening, .settling:
            preconditionFailure("an undecided utterance has ended and is not yet settled")
        }
    }

    private mutating func settle(_ index: Int, _ fate: Fate) {
        takes[index].stage = .settling(fate)
        switch fate {
        case .keep: actions.append(.commit(takes[index].id))
        case .drop: actions.append(.discard(takes[index].id))
        }
    }

    mutating func recorded(_ event: RecorderEvent, at now: Duration) {
        switch event {
        case .finished(let id, _):
            guard let index = index(of: id), case .finishing(let ending) = takes[index].stage else { return }
            if let fate = ending.fate {
                settle(index, fate)
            } else {
                takes[index].stage = .waiting
            }
        case .kept(let id, let at):
            let fate = remove(id)
            if case .keep(let farewell?) = fate, !newerTurnIsUp { cue(farewell, at: at) }
            actions.append(.wakeShipper)
        case .discarded(let id, let at):
            guard case .drop(let farewell) = remove(id) else { return }
            bid(farewell, at: at)
        case .full(let id, let at):
            guard let index = index(of: id), case .listening = takes[index].stage else { return }
            haltListening(.full, fault: .outboxFull, sentence: "The outbox is full.", at: at)
        case .cardFailing(_, let reason, let at):
            actions.append(.log(.error, reason))
            if !newerTurnIsUp { cue(.stopped(.cardFailing), at: at) }
        case .failed(let id, let reason, let at): recordingFailed(id, reason, at: at)
        case .journalFailing(let reason, _): actions.append(.log(.error, reason))
        case .room(let refusal): self.refusal = refusal
        }
    }

    /// What the wearer notices of a dropped utterance; nothing, while a newer turn is up.
    mutating func bid(_ farewell: Farewell, at now: Duration) {
        guard !newerTurnIsUp else { return }
        switch farewell {
        case .nothing: break
        case .cue(let farewell): cue(farewell, at: now)
        case .lastReply: actions.append(.replayLastReply)
        }
    }

    /// A newer turn is up: a late cue of an older one must not darken its lamp.
    private var newerTurnIsUp: Bool { stage.microphone != .unwanted }

    private mutating func recordingFailed(_ id: UtteranceID, _ reason: String, at now: Duration) {
        actions.append(.log(.error, reason))
        guard let index = index(of: id) else { return }
        switch takes[index].stage {
        case .listening:
            turn.halt(reason)
            journalClosed(id, .failed, at: now)
            operate(card.want(.closed, at: now), at: now)
        case .closing: journalClosed(id, .failed, at: now)
        case .finishing, .waiting, .settling: break
        case .starting: preconditionFailure("nothing is recorded of an utterance that only starts")
        }
        takes.remove(at: index)
        // A part of it may wait.
        actions.append(.wakeShipper)
        if !newerTurnIsUp { cue(.stopped(.cardFailing), at: now) }
    }

    mutating func changedCustody(_ event: CustodyEvent) {
        switch event {
        case .rung: break
        case .stored(let id, let at): if turn.pending == id { limits.storedOnHost(at: at) }
        case .letGo, .setAside: actions.append(.checkRoom)
        case .parked(let id, let reason, _):
            actions.append(.log(.error, "The host refused utterance \(id.rawValue) for good: \(reason)"))
        case .unreachable(let sentence, _): actions.append(.log(.notice, sentence))
        case .heldBack(let count, _):
            if let sentence = heldBackSentence(count) { actions.append(.log(.error, sentence)) }
        case .mistrusted(let sentence, let at):
            actions.append(.log(.error, sentence))
            if !newerTurnIsUp { cue(.stopped(.mistrusted), at: at) }
        case .signOfLife(let at): limits.signOfLife(at: at)
        case .replyPlaying(let id, let length, let at):
            if turn.replyPlaying(id) {
                limits.replyLength(length, at: at)
                cue(.replyStarts, at: at)
            }
        case .replyOver(let id, let at):
            if turn.replyOver(id) { emit(cues.lampOff(at: at)) }
        }
    }

    private func index(of id: UtteranceID) -> Int? { takes.firstIndex { $0.id == id } }

    private mutating func remove(_ id: UtteranceID) -> Fate? {
        guard let index = index(of: id), case .settling(let fate) = takes[index].stage else { return nil }
        takes.remove(at: index)
        return fate
    }
}

/// What is said of `count` recordings that the paired host could not open; nil when there are none.
package func heldBackSentence(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    return
        "\(count) recording\(count == 1 ? " is" : "s are") sealed to another host's key and held back: pair with a host that holds it (`lapel-host key import`), or copy everything out with `lapel outbox export DIR`."
}

extension Take {
    fileprivate var isUndecided: Bool {
        switch stage {
        case .waiting: true
        case .closing(_, let ending), .finishing(let ending): ending.fate == nil
        case .starting, .listening, .settling: false
        }
    }
}
