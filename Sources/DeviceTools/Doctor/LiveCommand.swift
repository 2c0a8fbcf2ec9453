import ALSAAudio
import Device
import DeviceSettings
import EndOfSpeech
import Glibc
import Hardware
import Simulator
import Threads
import Turn

/// `lapel doctor --live`: the button and the microphone's level while somebody tries them.
///
/// The lamp is lit for as long as the microphone is open, and the opening stands in the journal; nothing is recorded.
struct LiveCommand {
    private let settings: DeviceSettings
    private let folder: DeviceFolder

    init(_ settings: DeviceSettings) {
        self.settings = settings
        folder = DeviceFolder(path: settings.outboxDirectory)
    }

    func run() throws -> Int32 {
        if (try? ControlClient.ask(.status, at: folder.control)) != nil {
            throw Obstacle(
                "`lapel run` holds button and microphone.",
                mend: "Stop it first (`sudo systemctl stop lapel`); `lapel status` shows what it does.")
        }
        let events = EventQueue()
        Signals.deliver(to: events)
        let quit: @Sendable () -> Void = { events.post(.endAsked(.request, at: MonotonicClock.now)) }
        let keyboard = isatty(STDIN_FILENO) == 1 ? KeyboardButton(quit: quit) : nil
        defer { keyboard?.restore() }
        keyboard?.start { _ in }
        let button = makeButton()
        let lamp = (try? settings.lamp.map { try DoctorHardware.real.output($0) }) ?? NoOutput()
        lamp.set(true)
        defer { lamp.set(false) }
        writeError("Press the button, and speak; q or Ctrl-C ends it. Nothing is recorded.")
        let trouble = try show(events, button, lamp)
        return trouble ? 1 : 0
    }

    private func makeButton() -> Result<any ButtonSource, Obstacle> {
        do { return .success(try DoctorHardware.real.button(settings)) } catch {
            return .failure(Obstacle(any: error))
        }
    }

    /// Shows until somebody ends it, or until neither is there; true when something was wrong.
    private func show(
        _ events: EventQueue, _ button: Result<any ButtonSource, Obstacle>, _ lamp: any Output
    ) throws -> Bool {
        let rule = EndOfSpeech(rule: settings.rule, patience: settings.patience)
        let ledger = try Ledger(folder: folder.ledger)
        let board = LiveBoard(trial: LiveTrial(trouble: button.refusal.map { "\($0)" }))
        var session = MeterSession(rule: rule, ledger: ledger, once: false, reason: .doctor) {
            board.heard($0, $1)
        }
        let microphone = makeMicrophone(events)
        session.begin(microphone)
        if case .success(let source) = button { source.start { events.post(.button($0)) } }
        var isEnded = false
        while !(session.isOver && (isEnded || button.refusal != nil)) {
            let arrived = events.takeAll()
            for event in arrived {
                if case .button(let event) = event { board.felt(event) }
                if case .endAsked = event { isEnded = true }
                session.handle(event, microphone)
            }
            events.recycle(arrived)
            if session.isOver {
                lamp.set(false)
                if let failure = session.failure { board.lost("\(failure)") }
            }
            board.advance(to: MonotonicClock.now)
            if !(session.isOver && (isEnded || button.refusal != nil)) {
                events.wait(until: board.trial.deadline)
            }
        }
        microphone.shutDown()
        return session.failure != nil || button.refusal != nil
    }

    private func makeMicrophone(_ events: EventQueue) -> ALSAMicrophone {
        let capture = settings.capture(device: settings.microphone)
        switch settings.rule {
        case .reference:
            return ALSAMicrophone(settings: capture, sink: NoRecording()) { events.post(.microphone($0)) }
        case .lapel:
            let analyser = SpeechAnalyser(rate: capture.rate, channels: capture.channels, next: NoRecording())
            return ALSAMicrophone(settings: capture, sink: analyser) { events.post(analyser.heard($0)) }
        }
    }
}

/// The picture: four lines of the meter, or why there is none, and one of the button.
private final class LiveBoard {
    private(set) var trial: LiveTrial
    private var screen = MeterScreen()
    private var meter: [String]
    private var shown: LiveTrial?

    init(trial: LiveTrial) {
        self.trial = trial
        meter = ["microphone   not open yet", "", "", ""]
        draw()
    }

    func heard(_ rule: EndOfSpeech, _ observation: Observation) {
        if screen.isTerminal {
            meter = MeterView(width: screen.width, isColoured: true).lines(rule, observation)
            draw()
        } else {
            screen.write(MeterScreen.plain(rule, observation) + "\n")
        }
    }

    func felt(_ event: ButtonEvent) {
        trial.take(event)
        draw()
    }

    func advance(to now: Duration) {
        trial.advance(to: now)
        draw()
    }

    /// The microphone is gone, or was never there.
    func lost(_ sentence: String) {
        let shown = "microphone   \(sentence)".prefix(screen.isTerminal ? max(screen.width - 1, 0) : .max)
        guard meter[0] != shown else { return }
        meter = [String(shown), "", "", ""]
        if screen.isTerminal { draw() } else { screen.write("microphone\t\(sentence)\n") }
    }

    /// A terminal's picture anew; elsewhere a line when the button has changed.
    private func draw() {
        if screen.isTerminal {
            screen.draw(meter + [trial.line(isColoured: true, width: screen.width)])
        } else if trial != shown {
            screen.write(trial.line(isColoured: false) + "\n")
        }
        shown = trial
    }
}

extension Obstacle: CustomStringConvertible {
    var description: String { "\(text) \(mend)" }
}

extension Result where Failure == Obstacle {
    fileprivate var refusal: Obstacle? {
        switch self {
        case .success: nil
        case .failure(let refusal): refusal
        }
    }
}
