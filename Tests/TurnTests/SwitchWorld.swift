@testable import Turn

/// A turn, its switch, and a sound card that answers when told to: everything of a press but time.
///
/// It performs what the switch asks, as the device does, and notes each sentence of SPECIFICATION.md, "RecordSwitch", that
/// is broken.
struct SwitchWorld {
    enum Card: Hashable {
        case closed, opened, configured, started, reading
    }

    /// The wearer's ways to end a turn, and the world's.
    enum Ending: CaseIterable {
        case press, endOfSpeech, limit
    }

    private(set) var turn = VoiceTurn()
    private(set) var cardSwitch = RecordSwitch()
    private(set) var card = Card.closed
    /// The step in flight. `read` is none.
    private(set) var inFlight: RecordSwitch.Step?
    private(set) var presses = 0
    /// Times the card began to be read, or ceased to.
    private(set) var realTransitions = 0
    private(set) var failures: [VoiceTurn.Token] = []
    private(set) var broken: [String] = []

    /// What tells two worlds apart.
    var key: String { "\(turn) \(cardSwitch) \(card) \(String(describing: inFlight)) \(presses)" }

    var turnIsUp: Bool {
        switch turn.phase {
        case .listening, .thinking, .speaking: true
        case .off, .stopped: turn.starting
        }
    }

    /// A press: begins a turn, or ends the one that is up.
    mutating func press() {
        presses += 1
        if turnIsUp {
            end(.press)
        } else if let token = turn.begin() {
            carryOut(cardSwitch.want(.open(token)))
        }
        look()
    }

    mutating func end(_ ending: Ending) {
        switch ending {
        case .press: turn.stop()
        case .limit: turn.halt("the microphone did not start")
        case .endOfSpeech:
            let id = UtteranceID("a")
            if turn.sent(id) { turn.replyOver(id) } else { turn.stop() }
        }
        carryOut(cardSwitch.want(.closed))
        look()
    }

    /// The card answers the step in flight.
    mutating func answer(fails: Bool) {
        guard let step = inFlight else { return }
        inFlight = nil
        switch step {
        case .open: card = .opened
        case .configure: card = .configured
        case .start: card = .started
        case .close:
            if card == .reading { realTransitions += 1 }
            card = .closed
        case .read: broken.append("read is not answered")
        }
        if fails {
            card = .closed
            carryOut(cardSwitch.stepFailed(step, reason: "busy"))
        } else {
            carryOut(cardSwitch.stepDone(step))
        }
        look()
    }

    private mutating func carryOut(_ actions: [RecordSwitch.Action]) {
        for action in actions {
            switch action {
            case .perform(let step): perform(step)
            case .present(let token):
                if cardSwitch.wanted != .open(token) {
                    broken.append("the newest press's token is presented")
                }
                if card != .started { broken.append("audioUp comes after the start") }
                carryOut(cardSwitch.presented(accepted: turn.audioUp(token)))
            case .startFailed(let token, _):
                if failures.contains(token) { broken.append("a start fails once for each token") }
                failures.append(token)
                turn.halt("the microphone did not start")
            }
        }
    }

    private mutating func perform(_ step: RecordSwitch.Step) {
        if inFlight != nil { broken.append("never two operations at once: \(step)") }
        switch (step, card) {
        case (.open, .closed), (.configure, .opened), (.start, .configured): inFlight = step
        case (.close, .opened), (.close, .configured), (.close, .started), (.close, .reading): inFlight = step
        case (.read, .started):
            if !turn.micOpen { broken.append("the card is read only while the turn listens") }
            card = .reading
            realTransitions += 1
        default: broken.append("\(step) on a card that is \(card)")
        }
    }

    /// What holds whenever the loop waits.
    private mutating func look() {
        if cardSwitch.busy != (inFlight != nil) { broken.append("busy is an operation in flight") }
        if (cardSwitch.asked == nil) == cardSwitch.busy { broken.append("asked is what it is for") }
        if (cardSwitch.real == .open) != (card == .reading) { broken.append("real is what the card does") }
        if turn.micOpen, card != .reading || inFlight == .close {
            broken.append("while the turn listens the card is read")
        }
        if card == .reading, !turn.micOpen, !turn.starting, inFlight != .close {
            broken.append("the microphone is real only in a turn, beyond the one operation that closes it")
        }
        guard inFlight == nil else { return }
        let wantedOpen: Bool
        switch cardSwitch.wanted {
        case .open: wantedOpen = true
        case .closed: wantedOpen = false
        }
        if wantedOpen != (cardSwitch.real == .open) {
            broken.append("real equals wanted when nothing is queued")
        }
        if card != .closed && card != .reading { broken.append("an idle card is closed or read") }
    }
}
