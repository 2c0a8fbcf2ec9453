/// What a thumb means, from debounced presses and the stage of the turn.
///
/// 1. A press belongs to the stage at its edge, and to the turn of that stage.
/// 2. An edge in off, stopped or starting acts at once; one in listening, thinking or speaking when confirmed.
/// 3. Every `closeAndWait` is followed by exactly one `commit` or `discard`, whatever becomes of the turn; a
///    turn that was stopped meanwhile is never discarded.
/// 4. No other action reaches a turn that is over. Turns begin nowhere but at a press, and a press replaces
///    the one before it, so while a press lasts no second turn can begin: if the stage still is one that the
///    press's turn can be in, it is that turn's; else the press has nothing more to say.
///
/// Order for the owner, at every event and deadline: first the debouncer advances and each of its events is
/// handled, then the gesture advances. A hold is decided 10 ms after its time, when a release before that
/// time would have been reported; the release's own stamp decides between them.
///
/// A fault of the line ends the press and commits a waiting file. The turn's own end on a fault is the
/// owner's, like every end with a reason.
/// Source of the table and the figures: SPECIFICATION.md, "Gestures".
package struct Gesture: Equatable, Sendable {
    /// Mode `press`: an opening press held this long becomes push-to-talk.
    package static let pushToTalkAfter = Duration.milliseconds(600)
    /// A press held this long discards the waiting file, or cancels the wait.
    package static let longPress = Duration.milliseconds(1500)
    /// Mode `hold`: an utterance shorter than this was a slip.
    package static let shortestHold = Duration.milliseconds(300)
    /// A second edge sooner than this after an opening edge is a double press.
    package static let doublePress = Duration.milliseconds(350)
    /// Edges up to this long after the microphone closed by itself mean the turn that just ended.
    package static let afterOwnClose = Duration.milliseconds(700)
    /// Edges up to this long after a press that stopped a reply mean that reply.
    package static let afterReplyStop = Duration.milliseconds(350)

    /// The press that is down, as far as it has something left to say.
    enum Press: Equatable, Sendable {
        /// The thumb is up, or the press has said all.
        case over
        /// It began a turn; not yet confirmed.
        case opening(at: Duration)
        /// It began a turn, and is confirmed.
        case opened(at: Duration)
        /// It is push-to-talk.
        case talking
        /// It fell in listening, thinking or speaking; not yet confirmed.
        case unconfirmed(Target, at: Duration)
        /// It fell in thinking: from 1.5 s on it cancels the wait.
        case cancelling(at: Duration)
        /// It closed the microphone; the file waits for its release.
        case waiting(at: Duration)
    }

    /// What an unconfirmed press will act on.
    enum Target: Equatable, Sendable {
        case listening
        /// The second of a double press, in listening.
        case tooShortATurn
        case thinking
        case speaking
        /// The turn that just ended: it only blinks.
        case nothing
    }

    package let mode: Mode
    package let pressWhileThinking: PressWhileThinking
    var press = Press.over
    var openingEdge: Duration?
    private var closedByItself: Duration?
    var replyStopped: Duration?

    package init(mode: Mode, pressWhileThinking: PressWhileThinking) {
        self.mode = mode
        self.pressWhileThinking = pressWhileThinking
    }

    /// When `advance` has something to say; nil when only an event can have.
    package var deadline: Duration? {
        switch press {
        case .opened(let at):
            mode == .press ? at + Self.pushToTalkAfter + Debouncer.stable : nil
        case .cancelling(let at), .waiting(let at):
            at + Self.longPress + Debouncer.stable
        case .over, .opening, .talking, .unconfirmed:
            nil
        }
    }

    /// The microphone closed, and no press did it: the end of speech, a limit, a fault.
    package mutating func microphoneClosedByItself(at: Duration) {
        closedByItself = at
        switch press {
        case .unconfirmed(.listening, let at), .unconfirmed(.tooShortATurn, let at):
            press = .unconfirmed(.nothing, at: at)
        case .opened, .talking:
            press = .over
        case .opening, .unconfirmed, .cancelling, .waiting, .over:
            break
        }
    }

    /// Time has passed; `stage` is the turn's now. Returns what a hold that long means.
    package mutating func advance(to time: Duration, stage: Stage) -> [Action] {
        guard let deadline, deadline <= time else { return [] }
        return holdReached(stage: stage)
    }

    /// Takes the debouncer's next event; `stage` is the turn's now, before the event.
    package mutating func handle(_ event: Debouncer.Event, stage: Stage) -> [Action] {
        switch event {
        case .pressed(let at):
            return advance(to: at, stage: stage) + pressed(at: at, stage: stage)
        case .confirmed(_, let at):
            return advance(to: at, stage: stage) + confirmed(stage: stage)
        case .glitch(_, let at):
            return advance(to: at, stage: stage) + glitch(stage: stage)
        case .released(let at):
            return advance(to: at, stage: stage) + released(at: at, stage: stage)
        case .fault:
            return letGo()
        }
    }

    /// True when an edge at this time means a turn that just ended.
    func meansTheLastTurn(_ edge: Duration) -> Bool {
        if let closedByItself, edge - closedByItself <= Self.afterOwnClose { return true }
        if let replyStopped, edge - replyStopped <= Self.afterReplyStop { return true }
        return false
    }

    /// The press is over without a release that counts. A waiting file is kept.
    mutating func letGo() -> [Action] {
        defer { press = .over }
        switch press {
        case .waiting: return [.commit]
        case .over, .opening, .opened, .talking, .unconfirmed, .cancelling: return []
        }
    }
}
