/// The four moments of a press. Each looks at the stage now and at what the press has become.
extension Gesture {
    /// The edge. Only an edge with no microphone to lose acts here.
    mutating func pressed(at: Duration, stage: Stage) -> [Action] {
        // A release that was lost: the press before this one is over.
        let before = letGo()
        let opening = openingEdge
        openingEdge = nil
        let second = opening.map { at - $0 < Self.doublePress } ?? false
        switch stage {
        case .off, .stopped:
            if meansTheLastTurn(at) {
                press = .unconfirmed(.nothing, at: at)
                return before
            }
            press = .opening(at: at)
            if mode == .press { openingEdge = at }
            return before + [.begin]
        case .starting:
            return before + (second ? [.stopStart, .replayLastReply] : [.stopStart])
        case .listening:
            press = .unconfirmed(second ? .tooShortATurn : .listening, at: at)
        case .thinking:
            press = .unconfirmed(meansTheLastTurn(at) ? .nothing : .thinking, at: at)
        case .speaking:
            press = .unconfirmed(meansTheLastTurn(at) ? .nothing : .speaking, at: at)
        }
        return before
    }

    /// 10 ms later: the edge was a press.
    mutating func confirmed(stage: Stage) -> [Action] {
        switch press {
        case .opening(let at):
            // Mode `memo`: however long it is held, the press has said all.
            press = mode == .memo ? .over : .opened(at: at)
            return []
        case .unconfirmed(let target, let at):
            press = .over
            return act(on: target, pressedAt: at, stage: stage)
        case .over, .opened, .talking, .cancelling, .waiting:
            return []
        }
    }

    private mutating func act(on target: Target, pressedAt: Duration, stage: Stage) -> [Action] {
        switch (target, stage) {
        case (.listening, .listening):
            switch mode {
            case .press:
                press = .waiting(at: pressedAt)
                return [.closeAndWait]
            case .hold, .memo:
                return [.endUtterance]
            }
        case (.tooShortATurn, .listening):
            return [.endUtterance, .replayLastReply]
        case (.thinking, .thinking), (.thinking, .speaking):
            return inThinking(pressedAt: pressedAt)
        case (.thinking, .off), (.thinking, .stopped):
            switch pressWhileThinking {
            case .nothing: return [.blink]
            case .new:
                press = mode == .memo ? .over : .opened(at: pressedAt)
                return [.begin]
            }
        case (.speaking, .speaking):
            replyStopped = pressedAt
            return [.stopReply]
        case (.listening, _), (.tooShortATurn, _), (.thinking, _), (.speaking, _), (.nothing, _):
            return [.blink]  // what the thumb meant has ended by itself
        }
    }

    private mutating func inThinking(pressedAt: Duration) -> [Action] {
        switch (pressWhileThinking, mode) {
        case (.nothing, .press), (.nothing, .hold):
            press = .cancelling(at: pressedAt)
            return [.blink]
        case (.nothing, .memo):
            return [.blink]
        case (.new, .press), (.new, .hold):
            press = .opened(at: pressedAt)
            return [.restart]
        case (.new, .memo):
            return [.restart]
        }
    }

    /// 10 ms later: the edge was none. A turn that it opened must not reach its first sample.
    mutating func glitch(stage: Stage) -> [Action] {
        defer { press = .over }
        guard case .opening = press else { return [] }
        openingEdge = nil
        return isOpen(stage) ? [.abandonStart] : []
    }

    /// The thumb has let go at `at`.
    mutating func released(at: Duration, stage: Stage) -> [Action] {
        let press = press
        self.press = .over
        switch press {
        case .over, .opening, .unconfirmed, .cancelling:
            return []
        case .opened(let pressedAt):
            let held = at - pressedAt
            switch mode {
            case .press: return held >= Self.pushToTalkAfter ? endOfHold(stage) : []
            case .hold: return held >= Self.shortestHold ? endOfHold(stage) : dropped(stage)
            case .memo: return []
            }
        case .talking:
            return endOfHold(stage)
        case .waiting(let pressedAt):
            return fileDecided(discard: at - pressedAt >= Self.longPress, stage: stage)
        }
    }

    /// The hold that `deadline` announced was reached.
    mutating func holdReached(stage: Stage) -> [Action] {
        let press = press
        self.press = .over
        switch press {
        case .opened:
            guard isOpen(stage) else { return [] }
            self.press = .talking
            return [.pushToTalk]
        case .cancelling:
            return stage == .thinking ? [.cancelWait] : []
        case .waiting:
            return fileDecided(discard: true, stage: stage)
        case .over, .opening, .talking, .unconfirmed:
            return []  // these have no deadline
        }
    }

    private func fileDecided(discard: Bool, stage: Stage) -> [Action] {
        discard && stage != .stopped ? [.discard] : [.commit]
    }

    /// The release that ends an utterance. One that never reached its first sample is dropped, audibly.
    private func endOfHold(_ stage: Stage) -> [Action] {
        stage == .listening ? [.endUtterance] : dropped(stage)
    }

    private func dropped(_ stage: Stage) -> [Action] {
        isOpen(stage) ? [.discard] : []
    }

    /// The stages in which the turn that a press opened is still that press's to end.
    private func isOpen(_ stage: Stage) -> Bool {
        switch stage {
        case .starting, .listening: true
        case .off, .stopped, .thinking, .speaking: false
        }
    }
}
