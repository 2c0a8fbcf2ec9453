/// The way out of every phase that needs nobody.
///
/// 1. Each expiry is reported once, in order of time, and never for a stage that was left.
/// 2. Off and stopped have no limit, so an idle device has no deadline.
///
/// Audio limits run on the same monotonic clock as the rest; a recording's own length is counted in frames
/// elsewhere. Source of the rules: SPECIFICATION.md, "Limits, and what ends a turn".
package struct TurnLimits: Equatable, Sendable {
    package enum Expiry: Equatable, Hashable, Sendable {
        /// The microphone did not start in time.
        case startOverdue
        /// Mode `press`: nobody spoke. Nothing to send.
        case nothingHeard
        /// The longest utterance ends in this many seconds.
        case countdown(secondsLeft: Int)
        /// The longest utterance is reached: it ends and is sent.
        case longestReached
        /// The host has not stored the utterance in time: no reply is waited for.
        case notStored
        /// The host has given no sign of life in time.
        case noReply
        /// The reply has not ended in time.
        case replyOverdue
    }

    private struct Listening: Equatable {
        /// Nil once speech was heard, and where silence is no limit.
        var silenceEnds: Duration?
        var ends: Duration
        /// Ticks still to come.
        var ticks: Int

        var nextTick: Duration { ends - .seconds(ticks) }
    }

    private enum Limit: Equatable {
        case none
        case starting(until: Duration)
        case listening(Listening)
        /// `stored` is nil once the host has the utterance, or was too late.
        case thinking(stored: Duration?, signOfLife: Duration)
        case speaking(until: Duration)
    }

    package let settings: Settings
    private var limit = Limit.none

    package init(_ settings: Settings = Settings()) { self.settings = settings }

    /// When `advance` has something to say; nil in off and stopped.
    package var deadline: Duration? {
        switch limit {
        case .none: nil
        case .starting(let until), .speaking(let until): until
        case .listening(let listening):
            min(
                listening.ticks > 0 ? listening.nextTick : listening.ends,
                listening.silenceEnds ?? listening.ends)
        case .thinking(let stored, let signOfLife): min(stored ?? signOfLife, signOfLife)
        }
    }

    /// The turn has entered a stage, or entered the same one anew. Forgets the limits of the one before.
    package mutating func entered(_ stage: Gesture.Stage, mode: Gesture.Mode, at: Duration) {
        switch stage {
        case .off, .stopped: limit = .none
        case .starting: limit = .starting(until: at + settings.starting)
        case .listening:
            let longest =
                switch mode {
                case .press, .hold: settings.longest
                case .memo: settings.memoLongest
                }
            let silence: Duration? =
                switch mode {
                case .press: at + settings.noSpeech
                case .hold, .memo: nil
                }
            // A tick needs a whole second before it: none falls on the opening itself.
            let room = Int(clamping: longest.components.seconds)
            limit = .listening(
                Listening(
                    silenceEnds: silence, ends: at + longest,
                    ticks: max(0, min(settings.countdown, room - 1))))
        case .thinking:
            limit = .thinking(stored: at + settings.storedWithin, signOfLife: at + settings.thinking)
        case .speaking: limit = .speaking(until: at + settings.replyExtra)
        }
    }

    /// Speech in this utterance: silence no longer ends it.
    package mutating func speechHeard() {
        guard case .listening(var listening) = limit else { return }
        listening.silenceEnds = nil
        limit = .listening(listening)
    }

    /// The host's receipt for the utterance, a sign of life as well.
    package mutating func storedOnHost(at: Duration) {
        guard case .thinking = limit else { return }
        limit = .thinking(stored: nil, signOfLife: at + settings.thinking)
    }

    /// The host works on the reply.
    package mutating func signOfLife(at: Duration) {
        guard case .thinking(let stored, _) = limit else { return }
        limit = .thinking(stored: stored, signOfLife: at + settings.thinking)
    }

    /// The reply's length is known; it plays from `at`.
    package mutating func replyLength(_ length: Duration, at: Duration) {
        guard case .speaking = limit else { return }
        limit = .speaking(until: at + length + settings.replyExtra)
    }

    /// Time has passed. Returns what ran out, in order.
    package mutating func advance(to time: Duration) -> [Expiry] {
        var expiries: [Expiry] = []
        while let due = deadline, due <= time {
            expiries.append(expire(at: due))
        }
        return expiries
    }

    /// Takes the limit that runs out at `due`. A tick at the same time as an end comes before it.
    private mutating func expire(at due: Duration) -> Expiry {
        switch limit {
        case .none:
            preconditionFailure("a turn without a limit has no deadline")
        case .starting:
            limit = .none
            return .startOverdue
        case .listening(var listening):
            if listening.ticks > 0, listening.nextTick == due {
                let tick = Expiry.countdown(secondsLeft: listening.ticks)
                listening.ticks -= 1
                limit = .listening(listening)
                return tick
            }
            limit = .none
            return listening.ends == due ? .longestReached : .nothingHeard
        case .thinking(let stored, let signOfLife):
            if stored == due {
                limit = .thinking(stored: nil, signOfLife: signOfLife)
                return .notStored
            }
            limit = .none
            return .noReply
        case .speaking:
            limit = .none
            return .replyOverdue
        }
    }
}
