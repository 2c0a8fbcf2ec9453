import EndOfSpeech
import Hardware
import TestSupport
import Turn

@testable import DeviceMachine

/// The device's machine on a bench: its thumb, room, card and recorder are drawn or scripted, its time is the bench's.
final class DeviceBench {
    /// How long the card needs for each step; nil: it never answers.
    var cardTakes: [MicrophoneStep: Duration?] = [
        .open: .milliseconds(60), .configure: .milliseconds(20), .start: .milliseconds(20),
        .close: .milliseconds(30),
    ]
    var cardFails: [MicrophoneStep: MicrophoneFault] = [:]
    /// From one order of the recorder to its answer.
    var recorderTakes = Duration.milliseconds(20)
    /// Marks of reading k.
    var marks: (Int) -> LevelReading.Marks = { _ in [] }
    /// What a front end hears beside each reading, by whether the room speaks; nil: there is no front end.
    var frames: ((Bool) -> SpeechFrames)?
    /// What the battery says when it is read.
    var battery: BatteryLevel?
    /// The answer to `rereadButton`; nil: it cannot be read.
    var lineIsDown: Bool?

    private(set) var machine: DeviceMachine
    private(set) var now = Duration.zero
    private(set) var happened: [(at: Duration, what: DeviceAction)] = []
    private var room = ""
    private var agenda: [(at: Duration, order: Int, event: () -> DeviceEvent?)] = []
    private var ordered = 0
    private var readsSince: Duration?
    private var opening = 0

    /// Pulses of the motor tell the cues apart, so the bench has one.
    init(_ change: (inout DeviceMachine.Settings) -> Void = { _ in }) {
        var settings = DeviceMachine.Settings()
        settings.motor = true
        change(&settings)
        let presses = Counter()
        machine = DeviceMachine(settings: settings) {
            UtteranceID("u\(presses.next() + 1)")
        }
    }

    // MARK: What happens to the device

    /// The thumb, 100 ms a character: `#` down, `.` up. The first is at `start`.
    func thumb(_ drawing: String, from start: Duration = .zero, step: Duration = .milliseconds(100)) {
        var down = false
        for (index, character) in (drawing + ".").enumerated() where (character == "#") != down {
            down.toggle()
            edge(down: down, at: start + step * index)
        }
    }

    func edge(down: Bool, at: Duration) {
        happens(.button(.edge(Edge(down: down, at: at))), at: at)
    }

    /// What the microphone hears from time zero on, 100 ms a character: `#` speech, `.` the quiet room, as after its end.
    func sound(_ drawing: String) { room = drawing }

    func happens(_ event: DeviceEvent, at: Duration) { put(at) { event } }

    /// Lives until `end`, in order of time; deadlines before what happens at the same time.
    func live(until end: Duration) {
        while true {
            let next = agenda.min { ($0.at, $0.order) < ($1.at, $1.order) }
            if let deadline = machine.deadline, deadline <= min(next?.at ?? end, end) {
                now = max(now, deadline)
                perform(machine.advance(to: now))
            } else if let next, next.at <= end {
                agenda.removeAll { $0.order == next.order }
                now = max(now, next.at)
                if let event = next.event() { perform(machine.handle(event, at: now)) }
            } else {
                now = max(now, end)
                return
            }
        }
    }

    private func put(_ at: Duration, _ event: @escaping () -> DeviceEvent?) {
        ordered += 1
        agenda.append((at, ordered, event))
    }

    // MARK: The card and the recorder

    private func perform(_ actions: [DeviceAction]) {
        for action in actions {
            happened.append((now, action))
            switch action {
            case .microphone(let step): card(step)
            case .finishRecording(let id, _): answer { .finished(id, at: $0) }
            case .commit(let id): answer { .kept(id, at: $0) }
            case .discard(let id): answer { .discarded(id, at: $0) }
            case .rereadButton:
                if let lineIsDown { happens(.buttonLevel(down: lineIsDown, at: now), at: now) }
            case .readBattery:
                if let battery { happens(.battery(battery, at: now), at: now) }
            case .lamp, .motor, .journal, .beginRecording, .wakeShipper, .stopReply, .replayLastReply,
                .checkRoom, .awaitMicrophone, .log, .end:
                break
            }
        }
    }

    private func answer(_ event: (Duration) -> RecorderEvent) {
        let at = now + recorderTakes
        happens(.recorder(event(at)), at: at)
    }

    private func card(_ step: MicrophoneStep) {
        if step == .read {
            readsSince = now
            opening += 1
            happens(.microphone(.firstFrames(at: now + .milliseconds(10))), at: now + .milliseconds(10))
            return hear(reading: 0, of: opening)
        }
        let since = readsSince
        readsSince = nil
        guard let takes = cardTakes[step] ?? .zero else { return }
        let at = now + takes
        if step == .close {
            var summary = CaptureSummary()
            if let since { summary.frames = Int((now - since) / .microseconds(1)) * 16 / 1000 }
            happens(.microphone(.closed(summary, at: at)), at: at)
        } else if let fault = cardFails[step] {
            happens(.microphone(.failed(step, fault, at: at)), at: at)
        } else {
            happens(.microphone(.done(step, at: at)), at: at)
        }
    }

    private func hear(reading index: Int, of opening: Int) {
        guard let since = readsSince else { return }
        let at = since + .milliseconds(100) * (index + 1)
        put(at) { [self] in
            guard readsSince != nil, opening == self.opening else { return nil }
            hear(reading: index + 1, of: opening)
            let character = Int((at - .milliseconds(50)) / .milliseconds(100))
            let speaks = Array(room).indices.contains(character) && Array(room)[character] == "#"
            let reading = LevelReading(index: index, dbfs: speaks ? -20 : -70, marks: marks(index), at: at)
            return frames.map { .heard(reading, $0(speaks)) } ?? .microphone(.reading(reading))
        }
    }
}
