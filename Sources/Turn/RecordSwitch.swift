/// Brings the sound card to what the wearer last asked for, one step after another.
///
/// 1. One step at a time: none is performed before the one before it was answered, save `close`, which ends
///    a `read`.
/// 2. After every answer the machine compares again: what is no longer wanted is undone by one `close`, what
///    is already real costs nothing.
/// 3. The card is read only after the turn accepted the newest wanted token.
/// 4. Refused, failed or un-wanted, the card ends closed, and nothing starts it but another `want`.
///
/// Three things are kept apart. *Wanted* changes at once, on the press edge. *Asked* is what the step in
/// flight is for. *Real* is what the card is doing.
///
/// No queue of operations is stored. An operation that comes to its turn only compares wanted with real, so
/// of all that could be queued the first that still matches would do the work and the rest would return at
/// once; the comparison after each answer is that first one. A hundred presses therefore cost nothing while
/// a step is in flight, and at most one `close` and one start after it.
package struct RecordSwitch: Equatable, Sendable {
    /// What the wearer last asked for.
    package enum Wanted: Equatable, Hashable, Sendable {
        case closed
        case open(VoiceTurn.Token)
    }

    /// What the card is doing. Open from the turn's consent to the end of `close`.
    package enum Real: Equatable, Hashable, Sendable {
        case closed
        case open
    }

    /// One suspension point of the sound card.
    package enum Step: Equatable, Hashable, Sendable, CaseIterable {
        case open
        case configure
        case start
        case read
        case close
    }

    package enum Action: Equatable, Sendable {
        /// Start exactly this step; `stepDone` or `stepFailed` answers it later. `read` is not answered.
        case perform(Step)
        /// The card is started and wanted: ask the turn's `audioUp` with this token, the newest, and answer
        /// by `presented` before anything else happens.
        case present(VoiceTurn.Token)
        /// The start for this token failed, and nothing newer is wanted. The card is closed.
        case startFailed(VoiceTurn.Token, reason: String)
    }

    private enum Way: Equatable {
        case open
        case configure
        case start

        var step: Step {
            switch self {
            case .open: .open
            case .configure: .configure
            case .start: .start
            }
        }
    }

    private enum Card: Equatable {
        case closed
        /// A step towards reading is in flight.
        case starting(Way, for: VoiceTurn.Token)
        /// Started; the turn is being asked.
        case presenting(VoiceTurn.Token)
        /// Started without the turn's consent, or half started: a `close` is in flight.
        case undoing
        case reading(for: VoiceTurn.Token)
        /// A `close` of a card that was read is in flight.
        case closing
    }

    /// What the wearer last asked for. Light and haptic follow it.
    package private(set) var wanted = Wanted.closed
    private var card = Card.closed

    /// Nothing wanted, the card closed.
    package init() {}

    /// What the operation in flight is for; nil when none is.
    package var asked: Wanted? {
        switch card {
        case .closed, .reading: nil
        case .starting(_, let token), .presenting(let token): .open(token)
        case .undoing, .closing: .closed
        }
    }

    package var real: Real {
        switch card {
        case .closed, .starting, .presenting, .undoing: .closed
        case .reading, .closing: .open
        }
    }

    /// True while an operation is in flight.
    package var busy: Bool { asked != nil }

    /// The wearer, or an end of the turn, asks. `open` carries the token of the press.
    package mutating func want(_ newest: Wanted) -> [Action] {
        wanted = newest
        return compare()
    }

    /// A step has done its work. An answer to a step that is not in flight changes nothing.
    package mutating func stepDone(_ step: Step) -> [Action] {
        switch (card, step) {
        case (.starting(.open, _), .open): advance(to: .configure)
        case (.starting(.configure, _), .configure): advance(to: .start)
        case (.starting(.start, _), .start): present()
        case (.undoing, .close), (.closing, .close): closed()
        case (.closed, _), (.starting, _), (.presenting, _), (.undoing, _), (.reading, _), (.closing, _): []
        }
    }

    /// A step has not done its work; the card is closed.
    ///
    /// A start is tried once for each token: a newer one that is wanted by now starts again, the same one is
    /// reported by `startFailed` and no longer wanted. A `close` that fails is over like any other. A `read`
    /// that fails is reported here only if the card is already closed; else the end of the turn wants it so.
    package mutating func stepFailed(_ step: Step, reason: String) -> [Action] {
        switch card {
        case .starting(let way, let token):
            guard way.step == step else { return [] }
            card = .closed
            guard wanted == .open(token) else { return compare() }
            wanted = .closed
            return [.startFailed(token, reason: reason)]
        case .undoing, .closing:
            return step == .close ? closed() : []
        case .reading(let token):
            guard step == .read else { return [] }
            if wanted == .open(token) { wanted = .closed }
            return closed()
        case .closed, .presenting:
            return []
        }
    }

    /// The turn's answer to `present`.
    package mutating func presented(accepted: Bool) -> [Action] {
        guard case .presenting(let token) = card else { return [] }
        if accepted && wanted == .open(token) {
            card = .reading(for: token)
            return [.perform(.read)]
        }
        // A refused token is void for ever: wanting it on would start the card again and again.
        if wanted == .open(token) { wanted = .closed }
        card = .undoing
        return [.perform(.close)]
    }

    private mutating func closed() -> [Action] {
        card = .closed
        return compare()
    }

    /// Starts what is wanted and not real, where no step is in flight.
    private mutating func compare() -> [Action] {
        switch (card, wanted) {
        case (.closed, .open(let token)):
            card = .starting(.open, for: token)
            return [.perform(.open)]
        case (.reading(let token), let wanted) where wanted != .open(token):
            card = .closing
            return [.perform(.close)]
        case (.closed, .closed), (.reading, _):
            return []
        case (.starting, _), (.presenting, _), (.undoing, _), (.closing, _):
            return []  // the step in flight compares when it is answered
        }
    }

    private mutating func advance(to way: Way) -> [Action] {
        switch wanted {
        case .open(let newest):
            card = .starting(way, for: newest)
            return [.perform(way.step)]
        case .closed:
            card = .undoing
            return [.perform(.close)]
        }
    }

    private mutating func present() -> [Action] {
        switch wanted {
        case .open(let newest):
            card = .presenting(newest)
            return [.present(newest)]
        case .closed:
            card = .undoing
            return [.perform(.close)]
        }
    }
}
