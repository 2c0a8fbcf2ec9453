@testable import Turn

/// A call that VoiceTurn takes. Tokens are named by what they are to the turn, so that walks can be compared.
enum TurnCall: Hashable, CaseIterable {
    case begin
    case audioUpNewest, audioUpOlder, audioUpNeverIssued
    case sentA, sentB, playingA, playingB, overA, overB
    case stop, halt
}

/// VoiceTurn's specification as a judge beside it: makes a call, and says which sentence the turn broke.
///
/// It knows only what it can see (phase, starting, pending) and which token is the live start's.
struct TurnLaw {
    static let a = UtteranceID("a")
    static let b = UtteranceID("b")
    static let reason = "the battery is low"

    var turn = VoiceTurn()
    private(set) var live: VoiceTurn.Token?
    private(set) var newest: VoiceTurn.Token?
    private(set) var older: VoiceTurn.Token?
    private var issued: Set<VoiceTurn.Token> = []

    /// What the wearer may know, before and after a call.
    struct Sight: Hashable {
        var phase: VoiceTurn.Phase
        var starting: Bool
        var pending: UtteranceID?

        init(_ turn: VoiceTurn) {
            phase = turn.phase
            starting = turn.starting
            pending = turn.pending
        }

        var ended: Bool {
            switch phase {
            case .off, .stopped: true
            case .listening, .thinking, .speaking: false
            }
        }
    }

    /// What tells two states apart: what is seen, and what the turn would do with each kind of token.
    var key: [AnyHashable] {
        [Sight(turn), admits(newest), admits(older), admits(neverIssued), older == nil, newest == nil]
    }

    var neverIssued: VoiceTurn.Token { VoiceTurn.Token(generation: (newest?.generation ?? 0) + 1000) }

    func admits(_ token: VoiceTurn.Token?) -> Bool {
        guard let token else { return false }
        var copy = turn
        return copy.audioUp(token)
    }

    /// Makes the call. Returns the sentence that was broken, or nil.
    mutating func make(_ call: TurnCall) -> String? {
        switch call {
        case .begin: begin()
        case .audioUpNewest: audioUp(newest)
        case .audioUpOlder: audioUp(older)
        case .audioUpNeverIssued: audioUp(neverIssued)
        case .sentA: answered(.listening, to: .thinking(Self.a)) { $0.sent(Self.a) }
        case .sentB: answered(.listening, to: .thinking(Self.b)) { $0.sent(Self.b) }
        case .playingA: answered(.thinking(Self.a), to: .speaking(Self.a)) { $0.replyPlaying(Self.a) }
        case .playingB: answered(.thinking(Self.b), to: .speaking(Self.b)) { $0.replyPlaying(Self.b) }
        case .overA: over(Self.a)
        case .overB: over(Self.b)
        case .stop: end(in: .off) { $0.stop() }
        case .halt: end(in: .stopped(Self.reason)) { $0.halt(Self.reason) }
        }
    }

    private mutating func begin() -> String? {
        let before = Sight(turn)
        let token = turn.begin()
        let after = Sight(turn)
        let mayBegin = before.ended && !before.starting
        guard let token else { return mayBegin ? "begin is refused where it may begin" : unchanged(before) }
        if !mayBegin { return "a second begin in a turn is nil" }
        if !issued.insert(token).inserted { return "begin makes a fresh token" }
        if after.phase != before.phase { return "asking is not opening: begin changes no phase" }
        if !after.starting { return "begin remembers the token as the live start" }
        older = newest
        newest = token
        live = token
        return seen()
    }

    mutating func audioUp(_ token: VoiceTurn.Token?) -> String? {
        guard let token else { return nil }
        let before = Sight(turn)
        let opened = turn.audioUp(token)
        if opened != (token == live) {
            return opened ? "a stale, spent or foreign token opens nothing" : "the live token opens"
        }
        guard opened else { return unchanged(before) }
        live = nil
        return turn.phase == .listening && !turn.starting ? seen() : "audioUp leads to listening"
    }

    private mutating func answered(
        _ from: VoiceTurn.Phase, to: VoiceTurn.Phase, _ call: (inout VoiceTurn) -> Bool
    ) -> String? {
        let before = Sight(turn)
        let accepted = call(&turn)
        if accepted != (before.phase == from) { return "accepted exactly in \(from), on the way to \(to)" }
        guard accepted else { return unchanged(before) }
        return turn.phase == to && !turn.starting ? seen() : "\(from) leads to \(to)"
    }

    private mutating func over(_ id: UtteranceID) -> String? {
        let before = Sight(turn)
        let accepted = turn.replyOver(id)
        let mine = before.phase == .thinking(id) || before.phase == .speaking(id)
        if accepted != mine { return "replyOver ends the turn that waits for this utterance, and no other" }
        guard accepted else { return unchanged(before) }
        return ended(in: .off)
    }

    private mutating func end(in phase: VoiceTurn.Phase, _ call: (inout VoiceTurn) -> Void) -> String? {
        call(&turn)
        return ended(in: phase)
    }

    private mutating func ended(in phase: VoiceTurn.Phase) -> String? {
        live = nil
        if turn.phase != phase { return "this end is \(phase)" }
        if turn.starting { return "every end voids the start on its way" }
        return seen()
    }

    private func unchanged(_ before: Sight) -> String? {
        before == Sight(turn) ? seen() : "what is refused changes nothing"
    }

    /// What holds after every call.
    private func seen() -> String? {
        if turn.micOpen != (turn.phase == .listening) { return "micOpen is exactly listening" }
        if turn.starting != (live != nil) { return "starting is exactly a live start" }
        if admits(live) != (live != nil) { return "the live start opens" }
        if live != newest, admits(newest) { return "an ended or spent start opens nothing" }
        if admits(older) || admits(neverIssued) { return "an older or foreign token opens nothing" }
        let expected: UtteranceID? =
            switch turn.phase {
            case .thinking(let id), .speaking(let id): id
            case .off, .listening, .stopped: nil
            }
        return turn.pending == expected ? nil : "pending is the utterance waited for"
    }
}
