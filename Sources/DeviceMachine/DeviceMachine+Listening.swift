import EndOfSpeech
import Hardware
import Turn

extension DeviceMachine {
    /// The utterance is over; whether it is kept depends on what was heard. `waits`: the thumb decides later.
    mutating func endListening(
        _ reason: EndReason, waits: Bool, farewell: Farewell = .cue(.nothingHeard), at now: Duration
    ) {
        guard let (index, hearing) = listening else { return }
        guard enough(hearing, reason: reason, at: now) else {
            return endListening(reason, dropped: farewell, at: now)
        }
        let id = takes[index].id
        turn.sent(id)
        if !settings.repliesExpected { turn.replyOver(id) }
        close(
            index, hearing, Ending(reason: reason, fate: waits ? nil : .keep(cue: keptCue), at: now), at: now)
        if reason == .longest { cue(.timeUp, at: now) }
    }

    /// The utterance is over and nothing of it is kept.
    mutating func endListening(_ reason: EndReason, dropped farewell: Farewell, at now: Duration) {
        guard let (index, hearing) = listening else { return }
        turn.stop()
        close(index, hearing, Ending(reason: reason, fate: .drop(farewell), at: now), at: now)
    }

    /// The turn ends with a fault that the wearer is shown; what was recorded is kept.
    mutating func haltListening(_ reason: EndReason, fault: Fault, sentence: String, at now: Duration) {
        guard let (index, hearing) = listening else { return }
        turn.halt(sentence)
        let fate: Fate = enough(hearing, reason: reason, at: now) ? .keep(cue: nil) : .drop(.nothing)
        close(index, hearing, Ending(reason: reason, fate: fate, at: now), at: now)
        cue(.stopped(fault), at: now)
    }

    private mutating func close(_ index: Int, _ hearing: Hearing, _ ending: Ending, at now: Duration) {
        takes[index].stage = .closing(hearing, ending)
        emit(cues.lampOff(at: now))
        switch ending.reason {
        case .hangover, .quickHangover, .doubtfulHangover, .longest, .nothingHeard:
            gesture.microphoneClosedByItself(at: now)
        case .button, .release, .unplugged, .failed, .full, .request, .shutdown, .battery, .buttonFault,
            .abandoned:
            break
        }
        operate(card.want(.closed, at: now), at: now)
    }

    private var listening: (Int, Hearing)? {
        guard let index = takes.indices.last, case .listening(let hearing) = takes[index].stage else {
            return nil
        }
        return (index, hearing)
    }

    /// In mode `press` the rule must have heard enough speech; where the wearer holds the button or records a
    /// memo, audio is enough.
    private func enough(_ hearing: Hearing, reason: EndReason, at now: Duration) -> Bool {
        switch settings.mode {
        case .press:
            hearing.pushToTalk ? hearing.audio(at: now) >= settings.minimumAudio : hearing.rule.enoughToSend
        case .hold, .memo: hearing.audio(at: now) >= settings.minimumAudio
        }
    }

    /// One reading of the open microphone: the rule judges it unless it is marked.
    mutating func heard(_ reading: LevelReading, _ frames: SpeechFrames?) {
        var reading = reading
        if cues.motorNoise(overlaps: reading.at - .milliseconds(100)..<reading.at) {
            reading.marks.insert(.motor)
        }
        let judged = reading.marks.isDisjoint(with: .unjudged)
        let verdict = change { hearing -> (spoken: Bool, end: EndOfSpeech.Reason?) in
            hearing.readings.append(TakenReading(reading, frames))
            guard judged else { return (false, nil) }
            let ends = hearing.rule.feed(
                Observation(
                    dbfs: reading.dbfs, seconds: Double(reading.index + 1) / 10, frames: frames))
            if hearing.rule.lastWasSpeech {
                hearing.firstSpeech = hearing.firstSpeech ?? reading.at - .milliseconds(100)
            }
            return (hearing.rule.hasSpoken, ends && !hearing.pushToTalk ? hearing.rule.end?.reason : nil)
        }
        guard let verdict else { return }
        if verdict.spoken { limits.speechHeard() }
        if let reason = verdict.end, settings.mode == .press {
            endListening(EndReason(reason), waits: false, at: reading.at)
        }
    }

    /// A limit of the turn was reached.
    mutating func expired(_ expiry: TurnLimits.Expiry, at now: Duration) {
        switch expiry {
        case .startOverdue: failStart("the microphone did not start", .stopped(.microphone), at: now)
        case .nothingHeard: endListening(.nothingHeard, waits: false, at: now)
        case .countdown(let seconds): cue(.countdown(secondsLeft: seconds), at: now)
        case .longestReached: endListening(.longest, waits: false, at: now)
        case .notStored:
            if let id = turn.pending {
                turn.replyOver(id)
                cue(.kept, at: now)
            }
        case .noReply:
            turn.halt("no reply")
            cue(.stopped(.noReply), at: now)
        case .replyOverdue:
            turn.halt("the reply did not end")
            actions.append(.stopReply)
            cue(.stopped(.noReply), at: now)
        }
    }

    /// The start on its way has failed for good.
    mutating func failStart(
        _ sentence: String, _ farewell: Cue, reason: EndReason = .failed, at now: Duration
    ) {
        turn.halt(sentence)
        dropStart(reason, at: now)
        actions.append(.log(.error, sentence))
        cue(farewell, at: now)
    }

    /// The turn is ended from outside; what was recorded is kept.
    mutating func endTurn(_ cause: EndCause, at now: Duration) {
        switch cause {
        case .request: endTurn(by: .request, at: now)
        case .shutdown:
            isEnding = true
            endTurn(by: .shutdown, at: now)
            decide(.keep(cue: nil), at: now)  // nobody is waited for, the thumb neither
        case .sleep:
            if stage.microphone != .unwanted {
                endTurn(
                    by: .shutdown, fault: .sleep, sentence: "The system goes to sleep or shuts down.", at: now
                )
            }
            decide(.keep(cue: nil), at: now)
        }
    }

    private mutating func endTurn(by reason: EndReason, at now: Duration) {
        switch stage {
        case .listening: endListening(reason, waits: false, at: now)
        case .starting:
            turn.stop()
            dropStart(reason, at: now)
            emit(cues.lampOff(at: now))
        case .thinking: turn.stop()
        case .speaking:
            turn.stop()
            actions.append(.stopReply)
        case .off, .stopped: break
        }
    }

    /// The turn is ended by a fault; what was recorded is kept.
    mutating func endTurn(by reason: EndReason, fault: Fault, sentence: String, at now: Duration) {
        switch stage.microphone {
        case .listening: haltListening(reason, fault: fault, sentence: sentence, at: now)
        case .starting: failStart(sentence, .stopped(fault), reason: reason, at: now)
        case .unwanted: cue(.stopped(fault), at: now)
        }
    }
}
