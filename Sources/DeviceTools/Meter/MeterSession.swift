import Device
import DeviceMachine
import EndOfSpeech
import Hardware
import Threads
import Turn

/// One opening of the microphone for the meter: opens it step by step under a turn's token, shows every reading, and
/// closes it.
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
    private let id: UtteranceID
    private var turn = VoiceTurn()
    private var token: VoiceTurn.Token?
    private var rule: EndOfSpeech
    private let show: (EndOfSpeech, Observation) -> Void
    private var openedAt = Duration.zero
    private var isReading = false
    private var isClosing = false

    private(set) var isOver = false
    private(set) var failure: Failure?
    /// What the opening amounted to, once it is over.
    private(set) var summary: CaptureSummary?

    /// - Parameters:
    ///   - once: ends with the first end of speech.
    ///   - press: what the opening is called in the journal, which no button explains.
    ///   - show: called with every reading that the rule has judged.
    init(
        rule: EndOfSpeech, ledger: Ledger, once: Bool, press: UtteranceID = UtteranceID("meter"),
        show: @escaping (EndOfSpeech, Observation) -> Void
    ) {
        id = press
        self.rule = rule
        self.ledger = ledger
        self.once = once
        self.show = show
    }

    mutating func begin(_ microphone: any Microphone) {
        guard let token = turn.begin() else { preconditionFailure("a fresh turn begins") }
        self.token = token
        openedAt = MonotonicClock.now
        journal(
            .opening(press: id, reason: id == Listening.press ? .doctor : .meter, token: token, at: openedAt))
        microphone.perform(.open)
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
        case .done(.open, _): perform(.configure, microphone)
        case .done(.configure, _): perform(.start, microphone)
        case .done(.start, _):
            isReading = token.map { turn.audioUp($0) } ?? false
            perform(isReading ? .read : .close, microphone)
        case .done(.read, _), .done(.close, _): break  // they have answers of their own
        case .firstFrames(let at):
            journal(.firstSample(press: id, afterPress: at - openedAt, at: at))
        case .reading(let reading): judge(reading, nil, microphone)
        case .failed(_, let fault, let at):
            failure = failure ?? .microphone(fault)
            journal(.closed(press: id, reason: .failed, summary: nil, at: at))
            isOver = true
        case .fault(.noSignal, _): break  // the picture shows it, and it may come yet
        case .fault(let fault, _):
            failure = failure ?? .microphone(fault)
            close(microphone)
        case .closed(let summary, let at):
            self.summary = summary
            let reason = failure == nil ? EndReason.request : .failed
            journal(.closed(press: id, reason: reason, summary: summary, at: at))
            isOver = true
        }
    }

    private mutating func perform(_ step: MicrophoneStep, _ microphone: any Microphone) {
        microphone.perform(isClosing ? .close : step)
    }

    private mutating func judge(
        _ reading: LevelReading, _ frames: SpeechFrames?, _ microphone: any Microphone
    ) {
        guard !isClosing, reading.marks.isDisjoint(with: .unjudged) else { return }
        let observation = Observation(
            dbfs: reading.dbfs, seconds: Double(reading.index + 1) / 10, frames: frames)
        let ended = rule.feed(observation)
        show(rule, observation)
        if ended, once { close(microphone) }
    }

    private mutating func close(_ microphone: any Microphone) {
        guard !isClosing else { return }
        isClosing = true
        turn.stop()
        // Else the step in flight is answered first.
        if isReading { microphone.perform(.close) }
    }

    private mutating func journal(_ entry: LedgerEntry) {
        ledger.append(entry.json(Clocks()))
        do { try ledger.write() } catch { failure = failure ?? .journal(error.description) }
    }
}
