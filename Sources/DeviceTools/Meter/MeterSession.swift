import Device
import DeviceMachine
import EndOfSpeech
import Hardware
import Threads
import Turn

/// One opening of the microphone for meter and doctor: asks the switch for it with a turn's token, shows every reading,
/// and closes it.
struct MeterSession {
    /// Why there is nothing to show.
    enum Failure: Error, Equatable, CustomStringConvertible {
        case microphone(MicrophoneFault)
        case journal(String)

        var description: String {
            switch self {
            case .microphone(let fault): fault.description
            case .journal(let sentence): sentence
            }
        }
    }

    private let ledger: Ledger
    private let once: Bool
    private let reason: OpeningReason
    private var turn = VoiceTurn()
    private var recordSwitch = RecordSwitch()
    private var rule: EndOfSpeech
    private let show: (EndOfSpeech, Observation) -> Void
    private var openedAt = Duration.zero

    private(set) var isOver = false
    private(set) var failure: Failure?
    /// What the opening amounted to, once it is over.
    private(set) var summary: CaptureSummary?

    /// - Parameters:
    ///   - once: ends with the first end of speech.
    ///   - reason: who opens the microphone; the journal tells.
    ///   - show: called with every reading that the rule has judged.
    init(
        rule: EndOfSpeech, ledger: Ledger, once: Bool, reason: OpeningReason = .meter,
        show: @escaping (EndOfSpeech, Observation) -> Void
    ) {
        self.reason = reason
        self.rule = rule
        self.ledger = ledger
        self.once = once
        self.show = show
    }

    /// The opening's name in the journal: no button was pressed.
    private var id: UtteranceID { UtteranceID(reason.rawValue) }

    /// Asks for the microphone. Called once.
    mutating func begin(_ microphone: any Microphone) {
        guard let token = turn.begin() else { preconditionFailure("a fresh turn begins") }
        openedAt = MonotonicClock.now
        journal(.opening(press: id, reason: reason, token: token, at: openedAt))
        operate(recordSwitch.want(.open(token)), microphone)
    }

    mutating func handle(_ event: DeviceEvent, _ microphone: any Microphone) {
        switch event {
        case .heard(let reading, let frames): judge(reading, frames, microphone)
        case .microphone(let event): handle(event, microphone)
        case .endAsked: close(microphone)
        case .button, .buttonLevel, .recorder, .host, .battery, .microphoneReady:
            break  // nobody sends these here
        }
    }

    private mutating func handle(_ event: MicrophoneEvent, _ microphone: any Microphone) {
        switch event {
        case .done(let step, _): operate(recordSwitch.stepDone(RecordSwitch.Step(step)), microphone)
        case .firstFrames(let at):
            journal(.firstSample(press: id, afterPress: at - openedAt, at: at))
        case .reading(let reading): judge(reading, nil, microphone)
        case .failed(let step, let fault, let at):
            failure = failure ?? .microphone(fault)
            turn.stop()
            operate(
                recordSwitch.stepFailed(RecordSwitch.Step(step), reason: fault.description), microphone)
            journal(.closed(press: id, reason: .failed, summary: nil, at: at))
            isOver = true
        case .fault(.noSignal, _): break  // the picture shows it, and it may come yet
        case .fault(let fault, _):
            failure = failure ?? .microphone(fault)
            close(microphone)
        case .closed(let summary, let at):
            self.summary = summary
            operate(recordSwitch.stepDone(.close), microphone)
            let end = failure == nil ? EndReason.request : .failed
            journal(.closed(press: id, reason: end, summary: summary, at: at))
            isOver = true
        }
    }

    private mutating func operate(_ decided: [RecordSwitch.Action], _ microphone: any Microphone) {
        for action in decided {
            switch action {
            case .perform(let step): microphone.perform(MicrophoneStep(step))
            case .present(let token):
                operate(recordSwitch.presented(accepted: turn.audioUp(token)), microphone)
            case .startFailed: break  // the fault was told
            }
        }
    }

    private mutating func judge(
        _ reading: LevelReading, _ frames: SpeechFrames?, _ microphone: any Microphone
    ) {
        guard recordSwitch.wanted != .closed, reading.marks.isDisjoint(with: .unjudged) else { return }
        let observation = Observation(
            dbfs: reading.dbfs, seconds: Double(reading.index + 1) / 10, frames: frames)
        let ended = rule.feed(observation)
        show(rule, observation)
        if ended, once { close(microphone) }
    }

    private mutating func close(_ microphone: any Microphone) {
        turn.stop()
        operate(recordSwitch.want(.closed), microphone)
    }

    private mutating func journal(_ entry: LedgerEntry) {
        ledger.append(entry.json(Clocks()))
        do { try ledger.write() } catch { failure = failure ?? .journal(error.description) }
    }
}
