import Hardware
import Turn

/// The sound card: the switch that decides its steps, and for how long the one in flight has been unanswered.
struct CardWatch: Equatable, Sendable {
    private(set) var recordSwitch = RecordSwitch()
    /// When the latest step that is answered was asked for; it is in flight as long as the switch is busy.
    private var askedAt = Duration.zero

    /// Nothing is open, and nothing is on its way.
    var isAtRest: Bool { recordSwitch.real == .closed && !recordSwitch.busy }

    /// The wearer, or an end of the turn, asks.
    mutating func want(_ wanted: RecordSwitch.Wanted, at now: Duration) -> [RecordSwitch.Action] {
        timed(recordSwitch.want(wanted), at: now)
    }

    /// The card has done a step.
    mutating func done(_ step: MicrophoneStep, at now: Duration) -> [RecordSwitch.Action] {
        timed(recordSwitch.stepDone(RecordSwitch.Step(step)), at: now)
    }

    /// The card has not done a step; it is closed.
    mutating func failed(
        _ step: MicrophoneStep, _ fault: MicrophoneFault, at now: Duration
    ) -> [RecordSwitch.Action] {
        timed(recordSwitch.stepFailed(RecordSwitch.Step(step), reason: fault.description), at: now)
    }

    /// The turn's answer to `present`.
    mutating func presented(accepted: Bool, at now: Duration) -> [RecordSwitch.Action] {
        timed(recordSwitch.presented(accepted: accepted), at: now)
    }

    /// The step in flight has not been answered for longer than `limit`.
    func hangs(at now: Duration, limit: Duration) -> Bool { recordSwitch.busy && now - askedAt > limit }

    private mutating func timed(_ actions: [RecordSwitch.Action], at now: Duration) -> [RecordSwitch.Action] {
        for case .perform in actions { askedAt = now }
        return actions
    }
}

extension RecordSwitch.Step {
    /// The switch's name of a step of the card.
    package init(_ step: MicrophoneStep) {
        switch step {
        case .open: self = .open
        case .configure: self = .configure
        case .start: self = .start
        case .read: self = .read
        case .close: self = .close
        }
    }
}

extension MicrophoneStep {
    /// The card's name of a step of the switch.
    package init(_ step: RecordSwitch.Step) {
        switch step {
        case .open: self = .open
        case .configure: self = .configure
        case .start: self = .start
        case .read: self = .read
        case .close: self = .close
        }
    }
}
