import Outbox
import Sealing
import Synchronization
import Turn
import Wire

/// Gives each press its utterance's id, and remembers the outbox name behind the latest: only the newest press can
/// become a recording, because the switch presents the newest token.
final class Names: Sendable {
    private let outbox: Outbox
    private struct State {
        var latest: ItemName?
        /// For the next press, which then waits neither for the card nor for the kernel's random numbers.
        var ready: ItemName?
    }

    private let state = Mutex(State())

    init(outbox: Outbox) {
        self.outbox = outbox
        prepare()
    }

    /// Has a name ready for the next press. May block for two syncs.
    func prepare() {
        guard state.withLock({ $0.ready == nil }), let name = try? outbox.reserveName() else { return }
        state.withLock { $0.ready = name }
    }

    /// A fresh random id. When the card gives no sequence number, the name has number zero; the file that is then
    /// begun says what is wrong with the card.
    func next() -> UtteranceID {
        let ready = state.withLock { state in
            defer { state.ready = nil }
            return state.ready
        }
        let name = ready ?? (try? outbox.reserveName()) ?? ItemName(seq: 0, id: randomID())
        guard let name else { preconditionFailure("32 random digits are a name") }
        state.withLock { $0.latest = name }
        return UtteranceID(name.id)
    }

    /// The name behind the newest press's id.
    func name(of id: UtteranceID) -> ItemName {
        guard let name = state.withLock({ $0.latest }), name.id == id.rawValue else {
            preconditionFailure("only the newest press becomes a recording")
        }
        return name
    }
}
