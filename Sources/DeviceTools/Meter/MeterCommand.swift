import ALSAAudio
import Device
import DeviceSettings
import EndOfSpeech
import Glibc
import Hardware
import Simulator
import Terminal
import Threads
import Turn

/// `lapel meter`: what the rule makes of the microphone, live.
///
/// Nothing is recorded. Calling it is the press that explains the opening, which stands in the microphone's journal like
/// any other.
struct MeterCommand {
    private let settings: SettingsInForce
    private let capture: CaptureSettings
    private let once: Bool

    init(_ rest: [String]) throws {
        let arguments = try Arguments(settings: rest, flags: ["once"], values: ["config", "mic"])
        try arguments.nothingElse()
        settings = try settingsInForce(arguments)
        once = arguments.has("once")
        if let file = arguments["mic"] {
            let plan = SimulationPlan(
                microphone: file, lead: .zero, playsOn: false, presses: nil, panel: nil, json: false)
            capture = try Simulation(plan: plan, settings: settings).captureSettings()
        } else {
            capture = settings.settings.capture(device: settings.settings.microphone)
        }
    }

    func run() throws -> Int32 {
        let events = EventQueue()
        Signals.deliver(to: events)
        let quit: @Sendable () -> Void = { events.post(.endAsked(.request, at: MonotonicClock.now)) }
        let keyboard = isatty(STDIN_FILENO) == 1 ? KeyboardButton(quit: quit) : nil
        defer { keyboard?.restore() }
        keyboard?.start { _ in }

        let ledger = try Ledger(folder: DeviceFolder(path: settings.settings.outboxDirectory).ledger)
        var screen = MeterScreen()
        let rule = EndOfSpeech(rule: settings.settings.rule, patience: settings.settings.patience)
        var session = MeterSession(rule: rule, ledger: ledger, once: once) { screen.show($0, $1) }
        let microphone = makeMicrophone(events)
        session.begin(microphone)
        while !session.isOver {
            events.wait()
            let arrived = events.takeAll()
            for event in arrived { session.handle(event, microphone) }
            events.recycle(arrived)
        }
        microphone.shutDown()
        if let failure = session.failure { throw failure }
        return 0
    }

    private func makeMicrophone(_ events: EventQueue) -> ALSAMicrophone {
        let nowhere = NoRecording()
        switch settings.settings.rule {
        case .reference:
            return ALSAMicrophone(settings: capture, sink: nowhere) { events.post(.microphone($0)) }
        case .lapel:
            let analyser = SpeechAnalyser(rate: capture.rate, channels: capture.channels, next: nowhere)
            return ALSAMicrophone(settings: capture, sink: analyser) { events.post(analyser.heard($0)) }
        }
    }
}

/// Where frames go that nobody keeps.
final class NoRecording: AudioSink {
    func take(_ samples: UnsafeBufferPointer<Int16>) {}
}

/// The terminal, or lines for a file: a picture drawn over the one before, or one line for each reading.
struct MeterScreen {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    private var drawn = 0

    mutating func show(_ rule: EndOfSpeech, _ observation: Observation) {
        guard isTerminal else { return write(Self.plain(rule, observation) + "\n") }
        draw(MeterView(width: width, isColoured: true).lines(rule, observation))
    }

    /// Columns of the terminal.
    var width: Int {
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Over the lines before, of which there are always as many.
    mutating func draw(_ lines: [String]) {
        // Up to the first line, each line cleared behind its text.
        let up = drawn > 0 ? "\u{1B}[\(drawn)A" : ""
        drawn = lines.count
        write(up + lines.map { "\r\($0)\u{1B}[K\n" }.joined())
    }

    /// Time, level, floor, probability or threshold, judgement, time to the end, end.
    static func plain(_ rule: EndOfSpeech, _ observation: Observation) -> String {
        func figure(_ value: Double?, _ places: Int) -> String {
            value.map { Figures.fixed($0, places: places) } ?? "–"
        }
        let bound = rule.probabilityThresholds == nil ? rule.threshold : observation.frames?.probability
        return [
            figure(observation.seconds, 1), figure(observation.dbfs, 1), figure(rule.floor, 1),
            figure(bound, 2),
            rule.lastJudgement?.rawValue ?? "–", figure(rule.secondsToEnd, 1),
            rule.end.map { "end \(figure($0.seconds, 1)) (\($0.reason.rawValue))" } ?? "–",
        ].joined(separator: "\t")
    }

    func write(_ text: String) {
        _ = text.utf8.withContiguousStorageIfAvailable {
            Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
        }
    }
}
