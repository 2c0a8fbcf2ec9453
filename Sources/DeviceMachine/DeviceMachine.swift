import Cues
import EndOfSpeech
import Hardware
import Turn

/// The device's decisions, whole: it owns every machine of the turn and turns events into actions.
///
/// Pure: no clock, no file, no card. `DeviceLoop` performs its actions on a board; a test performs them in a
/// simulated world, so a day of presses is one deterministic run.
package struct DeviceMachine {
    /// What of the settings the machine decides by.
    package struct Settings: Equatable, Sendable {
        package var mode = Gesture.Mode.press
        package var pressWhileThinking = Gesture.PressWhileThinking.nothing
        package var limits = TurnLimits.Settings()
        package var rule = EndOfSpeech.Rule.reference
        package var patience = EndOfSpeech.Patience.calm
        /// The host offers replies and the wearer wants them.
        package var repliesExpected = false
        /// The board has one.
        package var lamp = true
        /// The board has one.
        package var motor = false
        /// Vibration is not muted.
        package var haptics = true
        /// The board may have a battery.
        package var battery = false
        /// Less audio than this is nothing to keep where speech is not asked for.
        package var minimumAudio = Duration.milliseconds(400)

        package init() {}
    }

    let settings: Settings
    private(set) var button = ButtonWatch()
    var gesture: Gesture
    var turn = VoiceTurn()
    var card = CardWatch()
    var limits: TurnLimits
    var cues: CueService
    /// In the order of their presses. At most one is starting or listening.
    var takes: [Take] = []
    /// Why no new recording may begin, as a sentence; nil when one may.
    package internal(set) var refusal: String?
    /// Set by `endAsked(.shutdown)`: nothing begins any more.
    var isEnding = false
    /// What tells the wearer that the latest start failed.
    var startCue = Cue.stopped(.microphone)
    private var enteredStage = Gesture.Stage.off
    var battery: BatteryWatch
    let newID: @Sendable () -> UtteranceID
    /// Collects what the event in progress wants done.
    var actions: [DeviceAction] = []

    /// - Parameter newID: gives a fresh random id for each press.
    package init(settings: Settings, newID: @escaping @Sendable () -> UtteranceID) {
        self.settings = settings
        self.newID = newID
        battery = BatteryWatch(isPresent: settings.battery)
        gesture = Gesture(mode: settings.mode, pressWhileThinking: settings.pressWhileThinking)
        limits = TurnLimits(settings.limits)
        cues = CueService(lamp: settings.lamp, motor: settings.motor, haptics: settings.haptics)
    }

    /// Where the turn is.
    package var stage: Gesture.Stage { Gesture.Stage(of: turn) }

    /// Presses that were none, since the start.
    package var glitches: Int { button.glitches }

    /// Why the turn was ended by something else than the wearer, as a sentence; nil when it was not.
    package var stopReason: String? {
        if case .stopped(let reason) = turn.phase { reason } else { nil }
    }

    /// The card is read, or is being closed after it was.
    package var microphoneIsOpen: Bool { card.recordSwitch.real == .open }

    /// The card has been asked for a step that it has not answered.
    package var cardIsBusy: Bool { card.recordSwitch.busy }

    /// An utterance is on its way to the outbox, or to its end.
    package var holdsUtterances: Bool { !takes.isEmpty }

    /// No turn is up, and everything recorded is in `out/` or gone.
    package var isIdle: Bool {
        switch stage {
        case .off, .stopped: takes.isEmpty && card.isAtRest
        case .starting, .listening, .thinking, .speaking: false
        }
    }

    /// When the machine wants to be called again although nothing happens; nil when it waits for an event only.
    package var deadline: Duration? {
        [button.deadline, battery.deadline, gesture.deadline, limits.deadline, cues.deadline]
            .compactMap { $0 }.min()
    }

    /// A card operation has not returned for longer than any card needs: the program hangs and wants a restart.
    package func cardHangs(at now: Duration) -> Bool {
        card.hangs(at: now, limit: settings.limits.cardHang)
    }

    /// Takes one event in, at the time of the loop, and says what is to be done, in order. Deadlines that fell before it are served first, in their order.
    package mutating func handle(_ event: DeviceEvent, at now: Duration) -> [DeviceAction] {
        serveDeadlines(until: event.at.map { min($0, now) } ?? now)
        happened(event, at: now)
        settle(at: now)
        return taken()
    }

    /// Serves all deadlines up to `now`, and says what is to be done, in order.
    package mutating func advance(to now: Duration) -> [DeviceAction] {
        serveDeadlines(until: now)
        settle(at: now)
        return taken()
    }

    private mutating func taken() -> [DeviceAction] {
        defer { actions.removeAll(keepingCapacity: true) }
        return actions
    }

    private mutating func serveDeadlines(until now: Duration) {
        while let at = deadline, at <= now {
            if battery.advance(to: at) { actions.append(.readBattery) }
            lineTold(button.advance(to: at), at: at)
            if let due = gesture.deadline, due <= at {
                perform(gesture.advance(to: at, stage: stage), at: at)
            }
            if let due = limits.deadline, due <= at {
                for expiry in limits.advance(to: at) { expired(expiry, at: at) }
            }
            if let due = cues.deadline, due <= at { emit(cues.advance(to: at)) }
            settle(at: at)
        }
    }

    private mutating func happened(_ event: DeviceEvent, at now: Duration) {
        switch event {
        case .button(let event): felt(event, at: now)
        case .buttonLevel(let down, let at):
            lineTold(button.levelReread(down: down, stamp: at, at: now), at: at)
        case .microphone(let event): captured(event)
        case .heard(let reading, let frames): heard(reading, frames)
        case .recorder(let event): recorded(event, at: now)
        case .host(let event): changedCustody(event)
        case .battery(let level, let at): batteryRead(level, at: at)
        case .microphoneReady(let sentence, _): actions.append(.log(.notice, sentence))
        case .endAsked(let cause, let at): endTurn(cause, at: at)
        }
    }

    private mutating func felt(_ event: ButtonEvent, at now: Duration) {
        switch event {
        case .heldAtStart:
            button.beginAnew(held: true, at: now)
            actions.append(.log(.notice, "The button is held down at the start: that is not a press."))
        case .edge(let edge):
            lineTold(button.edge(down: edge.down, stamp: edge.at, at: now), at: edge.at)
        case .lost(let sentence):
            actions.append(.log(.error, sentence))
            endTurn(by: .buttonFault, fault: .buttonLine, sentence: sentence, at: now)
            // No release will be seen: the press is over now, and a file that waits for it is kept.
            perform(gesture.handle(.released(at: now), stage: stage), at: now)
            button.beginAnew(held: true, at: now)
        case .returned(let down, _):
            button.beginAnew(held: down, at: now)
            actions.append(.log(.notice, "The button is back."))
        }
    }

    private mutating func lineTold(_ outputs: [ButtonWatch.Output], at now: Duration) {
        for output in outputs {
            switch output {
            case .reread: actions.append(.rereadButton)
            case .event(let event): debounced(event, at: now)
            }
        }
    }

    private mutating func debounced(_ event: Debouncer.Event, at now: Duration) {
        let at: Duration
        switch event {
        case .pressed(let pressed):
            at = pressed
        case .confirmed(_, let confirmed), .glitch(_, let confirmed): at = confirmed
        // Stamped with its own edge, 10 ms ago: what it leads to happens now.
        case .released: at = now
        case .fault(let fault):
            at = now
            actions.append(.log(.error, fault.description))
            endTurn(by: .buttonFault, fault: .buttonLine, sentence: fault.description, at: now)
        }
        perform(gesture.handle(event, stage: stage), at: at)
    }

    /// What follows from where the turn stands now: the limits of its phase, a look at the battery, the end of the
    /// program.
    private mutating func settle(at now: Duration) {
        if stage != enteredStage {
            enteredStage = stage
            limits.entered(stage, mode: settings.mode, at: now)
        }
        if battery.turnRecords(stage.microphone != .unwanted, at: now) { actions.append(.readBattery) }
        if isEnding, takes.isEmpty, card.isAtRest { actions.append(.end) }
    }

    mutating func cue(_ cue: Cue, at now: Duration) { emit(cues.fire(cue, at: now)) }

    mutating func emit(_ outputs: [CueService.Output]) {
        for output in outputs {
            switch output {
            case .lamp(let on): actions.append(.lamp(on))
            case .motor(let on): actions.append(.motor(on))
            }
        }
    }
}
