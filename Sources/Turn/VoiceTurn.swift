/// One press, one turn.
///
/// 1. Nothing but `audioUp` with the live token opens the microphone.
/// 2. Every way a turn ends leaves the microphone closed until another `begin` and `audioUp`.
/// 3. Every end voids the start that is still on its way.
/// 4. No call leads from thinking or speaking to listening.
///
/// The device asks `begin` on the press edge, before it touches the sound card; `audioUp` after the card
/// was started and before its first read; `sent` the moment the end is decided, before the card has closed.
/// Source of the rules: SPECIFICATION.md, "VoiceTurn".
package struct VoiceTurn: Equatable, Sendable {
    /// The right to open the microphone once. Void after use and after every end of a turn.
    package struct Token: Hashable, Sendable {
        /// Counts the starts of one `VoiceTurn`, from 1.
        let generation: UInt64
    }

    /// What the wearer may know of the turn.
    package enum Phase: Equatable, Hashable, Sendable {
        /// No turn.
        case off
        /// The microphone is open.
        case listening
        /// The utterance is over; its reply is waited for.
        case thinking(UtteranceID)
        /// The reply to the utterance is playing.
        case speaking(UtteranceID)
        /// The turn was ended by something else than the wearer; a sentence says by what.
        case stopped(String)
    }

    private enum End: Equatable {
        case off
        case stopped(String)
    }

    private enum State: Equatable {
        case ended(End, start: Token?)
        case listening
        case thinking(UtteranceID)
        case speaking(UtteranceID)
    }

    private var state = State.ended(.off, start: nil)
    private var generation: UInt64 = 0

    /// No turn, and no start on its way.
    package init() {}

    /// Where the turn is. A start on its way does not show here: asking is not opening.
    package var phase: Phase {
        switch state {
        case .ended(.off, _): .off
        case .ended(.stopped(let reason), _): .stopped(reason)
        case .listening: .listening
        case .thinking(let id): .thinking(id)
        case .speaking(let id): .speaking(id)
        }
    }

    /// True exactly while the phase is `.listening`.
    package var micOpen: Bool { state == .listening }

    /// The utterance whose reply is waited for or playing.
    package var pending: UtteranceID? {
        switch state {
        case .ended, .listening: nil
        case .thinking(let id), .speaking(let id): id
        }
    }

    /// True while a start is on its way: begun, neither opened nor ended.
    package var starting: Bool {
        switch state {
        case .ended(_, let start): start != nil
        case .listening, .thinking, .speaking: false
        }
    }

    /// Asks for a turn. The phase does not change.
    ///
    /// Returns the token of the start that is now on its way; nil while a turn is up or starting.
    package mutating func begin() -> Token? {
        guard case .ended(let end, start: nil) = state else { return nil }
        generation += 1
        let token = Token(generation: generation)
        state = .ended(end, start: token)
        return token
    }

    /// The sound card is started and unread: opens the microphone if the token is the live start's.
    ///
    /// Returns false for a stale, spent or foreign token. Then the card is closed and its samples are
    /// dropped unread.
    package mutating func audioUp(_ token: Token) -> Bool {
        guard case .ended(_, start: token) = state else { return false }
        state = .listening
        return true
    }

    /// The utterance is over; the microphone is closed for the rest of this turn.
    ///
    /// Returns false, and changes nothing, unless the phase is `.listening`.
    @discardableResult
    package mutating func sent(_ id: UtteranceID) -> Bool {
        guard case .listening = state else { return false }
        state = .thinking(id)
        return true
    }

    /// The reply begins to play.
    ///
    /// Returns false, and changes nothing, unless this turn waits for the reply to `id`.
    @discardableResult
    package mutating func replyPlaying(_ id: UtteranceID) -> Bool {
        guard case .thinking(id) = state else { return false }
        state = .speaking(id)
        return true
    }

    /// The reply is over, or none will come: the turn ends.
    ///
    /// Returns false, and changes nothing, unless this turn waits for or plays the reply to `id`: an older
    /// reply's end, arriving late, is not this turn's end.
    @discardableResult
    package mutating func replyOver(_ id: UtteranceID) -> Bool {
        guard pending == id else { return false }
        state = .ended(.off, start: nil)
        return true
    }

    /// Ends the turn, whatever it is doing, and voids a start on its way.
    package mutating func stop() {
        state = .ended(.off, start: nil)
    }

    /// Ends the turn like `stop`, with a reason that can be shown.
    package mutating func halt(_ reason: String) {
        state = .ended(.stopped(reason), start: nil)
    }
}
