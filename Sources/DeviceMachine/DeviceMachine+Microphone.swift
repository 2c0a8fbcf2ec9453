import EndOfSpeech
import Hardware
import Turn

extension DeviceMachine {
    /// Does what the switch decided. Presenting a token is answered at once, so it may lead to further actions.
    mutating func operate(_ decided: [RecordSwitch.Action], at now: Duration) {
        for action in decided {
            switch action {
            case .perform(let step): actions.append(.microphone(MicrophoneStep(step)))
            case .present(let token):
                let accepted = turn.audioUp(token)
                if accepted { openTake(at: now) }
                operate(card.presented(accepted: accepted, at: now), at: now)
            case .startFailed(_, let reason): failStart(reason, startCue, at: now)
            }
        }
    }

    /// The turn took the token: the newest press's utterance listens.
    private mutating func openTake(at now: Duration) {
        guard let index = takes.lastIndex(where: { $0.stage == .starting }) else {
            preconditionFailure("a turn that takes a token has an utterance that starts")
        }
        takes[index].stage = .listening(
            Hearing(rule: EndOfSpeech(rule: settings.rule, patience: settings.patience)))
        actions.append(.beginRecording(takes[index].id, press: takes[index].press))
    }

    mutating func captured(_ event: MicrophoneEvent) {
        let now = event.at
        switch event {
        case .done(let step, _):
            operate(card.done(step, at: now), at: now)
        case .failed(let step, let fault, _):
            startCue = fault.isMissing ? .notReady : .stopped(.microphone)
            if fault.mayMendItself { actions.append(.awaitMicrophone) }
            operate(card.failed(step, fault, at: now), at: now)
        case .firstFrames: firstFrames(at: now)
        case .reading(let reading): heard(reading, nil)
        case .fault(let fault, _): faulted(fault, at: now)
        case .closed(let summary, _):
            finishTake(summary, at: now)
            operate(card.done(.close, at: now), at: now)
        }
    }

    private mutating func firstFrames(at now: Duration) {
        guard let take = takes.last, change({ $0.firstSample = now }) != nil else { return }
        actions.append(.journal(.firstSample(press: take.id, afterPress: now - take.press, at: now)))
        cue(.listening, at: now)
    }

    /// A fault while reading. No signal does not end the turn: a wearer may be silent before the wire is found.
    private mutating func faulted(_ fault: MicrophoneFault, at now: Duration) {
        actions.append(.log(.error, fault.description))
        switch fault {
        case .noSignal: break
        case .unplugged:
            haltListening(.unplugged, fault: .unplugged, sentence: fault.description, at: now)
            actions.append(.awaitMicrophone)
        case .missing, .denied, .busy, .unsupported, .failed:
            haltListening(.failed, fault: .microphone, sentence: fault.description, at: now)
        }
    }

    /// The card is closed and all its frames are in the queue: the recorder may finish the file.
    private mutating func finishTake(_ summary: CaptureSummary, at now: Duration) {
        guard let index = takes.firstIndex(where: { $0.isClosing }),
            case .closing(let hearing, let ending) = takes[index].stage
        else { return }
        let take = takes[index]
        actions.append(
            .journal(.closed(press: take.id, reason: ending.reason, summary: summary, at: now)))
        if settings.repliesExpected, turn.pending == take.id { cue(.heard, at: now) }
        takes[index].stage = .finishing(ending)
        let facts = TakeFacts(
            reason: ending.reason, speechSeconds: hearing.rule.speechSeconds,
            rule: hearing.rule.rule.rawValue,
            ruleParameters: hearing.rule.parameters, readings: hearing.readings, summary: summary,
            press: take.press, firstSample: hearing.firstSample, firstSpeech: hearing.firstSpeech,
            ended: ending.at, mode: settings.mode.name)
        actions.append(.finishRecording(take.id, facts))
    }
}

extension Take {
    fileprivate var isClosing: Bool {
        switch stage {
        case .closing: true
        case .starting, .listening, .finishing, .waiting, .settling: false
        }
    }
}

extension MicrophoneFault {
    /// The microphone is not there yet, as at boot, rather than broken.
    fileprivate var isMissing: Bool {
        switch self {
        case .missing: true
        case .denied, .busy, .unsupported, .unplugged, .noSignal, .failed: false
        }
    }
}

extension MicrophoneFault {
    /// It goes when somebody plugs something in or gives a right: worth to be told.
    fileprivate var mayMendItself: Bool {
        switch self {
        case .missing, .denied, .unplugged: true
        case .busy, .unsupported, .noSignal, .failed: false
        }
    }
}

extension Gesture.Mode {
    /// As settings and manifests write it.
    package var name: String {
        switch self {
        case .press: "press"
        case .hold: "hold"
        case .memo: "memo"
        }
    }
}
