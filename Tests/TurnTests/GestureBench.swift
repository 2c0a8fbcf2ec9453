@testable import Turn

/// A thumb, a debouncer, a gesture and a turn, with time turned by hand.
///
/// It carries out each action as the device does, and notes those that reach a turn or a file that is not
/// theirs.
struct GestureBench {
    private(set) var turn = VoiceTurn()
    private(set) var debouncer = Debouncer(heldAtStart: false)
    private(set) var gesture: Gesture
    private(set) var now = Duration.zero
    /// From `begin` to the open microphone; nil: it never opens.
    var startTakes: Duration? = .milliseconds(50)
    private(set) var done: [(action: Gesture.Action, at: Duration)] = []
    private(set) var stale: [String] = []
    /// Utterances that began, and their ways out.
    private(set) var utterances = 0
    private(set) var committed = 0
    private(set) var discarded = 0

    private var start: (token: VoiceTurn.Token, due: Duration)?
    private(set) var waiting = false
    private var id: UtteranceID { UtteranceID("\(utterances)") }

    init(_ mode: Gesture.Mode, _ pressWhileThinking: Gesture.PressWhileThinking = .nothing) {
        gesture = Gesture(mode: mode, pressWhileThinking: pressWhileThinking)
    }

    var stage: Gesture.Stage { Gesture.Stage(of: turn) }

    /// Names, and with `times` the milliseconds since the walk's start.
    func drawn(times: Bool = false, from: Duration = .zero) -> String {
        done.map { "\($0.action)" + (times ? "@\(($0.at - from).milliseconds)" : "") }.joined(separator: " ")
    }

    /// Brings the turn into a stage by the device's own means, without the gesture.
    mutating func enter(_ stage: Gesture.Stage) {
        turn.stop()
        switch stage {
        case .off: break
        case .stopped: turn.halt("no reply")
        case .starting: _ = turn.begin()
        case .listening: open()
        case .thinking:
            open()
            turn.sent(id)
        case .speaking:
            open()
            turn.sent(id)
            turn.replyPlaying(id)
        }
    }

    private mutating func open() {
        utterances += 1
        if let token = turn.begin() { _ = turn.audioUp(token) }
    }

    /// Lets the line do what is drawn, from now on.
    mutating func draw(_ drawing: String, step: Duration = .milliseconds(10)) {
        let line = Timeline(drawing, step: step, downBefore: debouncer.isDown)
        let began = now
        for edge in line.edges {
            run(to: began + edge.at)
            handle(debouncer.edge(down: edge.down, at: now))
        }
        run(to: began + line.end)
    }

    /// The line floods, or is gone.
    mutating func fault() { handle([.fault(.noisy(edgesPerSecond: 999))]) }

    /// Lets time pass, deadline after deadline.
    mutating func run(to end: Duration) {
        while let due = [debouncer.deadline, gesture.deadline, start?.due].compactMap({ $0 }).min(),
            due <= end
        {
            now = due
            if let start, start.due == due {
                self.start = nil
                if turn.audioUp(start.token) { utterances += 1 }
            }
            handle(debouncer.advance(to: due))
            carryOut(gesture.advance(to: due, stage: stage))
        }
        now = end
    }

    /// The end of speech, or the longest utterance: no thumb.
    mutating func closeByItself(replyExpected: Bool) {
        guard turn.sent(id) else { return }
        committed += 1
        gesture.microphoneClosedByItself(at: now)
        if !replyExpected { turn.replyOver(id) }
    }

    mutating func replyPlays() { turn.replyPlaying(id) }
    mutating func replyEnds() { turn.replyOver(id) }

    /// Low battery and the like: what was recorded is kept.
    mutating func halt() {
        if turn.micOpen {
            committed += 1
            gesture.microphoneClosedByItself(at: now)
        }
        turn.halt("the battery is low")
    }

    private mutating func handle(_ events: [Debouncer.Event]) {
        for event in events { carryOut(gesture.handle(event, stage: stage)) }
    }

    private mutating func carryOut(_ actions: [Gesture.Action]) {
        for action in actions {
            done.append((action, now))
            let stage = stage
            if !carryOut(action, stage) { stale.append("\(action) in \(stage) at \(now)") }
        }
    }

    /// Returns false for an action that nothing is there for.
    private mutating func carryOut(_ action: Gesture.Action, _ stage: Gesture.Stage) -> Bool {
        switch action {
        case .begin:
            guard stage == .off || stage == .stopped, let token = turn.begin() else { return false }
            start = startTakes.map { (token, now + $0) }
        case .abandonStart:
            if stage == .listening { discarded += 1 }
            turn.stop()
            return stage == .starting || stage == .listening
        case .stopStart:
            turn.stop()
            return stage == .starting
        case .closeAndWait:
            guard stage == .listening, !waiting else { return false }
            turn.sent(id)
            waiting = true
        case .commit:
            guard waiting else { return false }
            waiting = false
            committed += 1
        case .discard:
            if waiting {
                waiting = false
                discarded += 1
                turn.stop()
                return stage != .stopped
            }
            if stage == .listening { discarded += 1 }
            turn.stop()
            return stage == .listening || stage == .starting
        case .endUtterance:
            guard stage == .listening else { return false }
            turn.sent(id)
            committed += 1
        case .pushToTalk: return stage == .listening || stage == .starting
        case .blink: break
        case .cancelWait:
            turn.replyOver(id)
            return stage == .thinking
        case .stopReply:
            turn.stop()
            return stage == .speaking
        case .restart:
            turn.stop()
            guard stage == .thinking || stage == .speaking, let token = turn.begin() else { return false }
            start = startTakes.map { (token, now + $0) }
        case .replayLastReply:
            guard let last = done.dropLast().last else { return false }
            return last.at == now && (last.action == .stopStart || last.action == .endUtterance)
        }
        return true
    }
}
