import Outbox
import Sealing
import Synchronization
import Turn
import Wire

/// Gives each press its utterance's id, and remembers the outbox name behind the latest: only the newest press can
/// become a recording, because the switch presents the newest token.
final class Names: Sendable {
    private let outbox: Outbox
    private let latest = Mutex<ItemName?>(nil)

    init(outbox: Outbox) { self.outbox = outbox }

    /// A fresh random id. When the card gives no sequence number, the name has number zero; the file that is then
    /// begun says what is wrong with the card.
    func next() -> UtteranceID {
        let name = (try? outbox.reserveName()) ?? ItemName(seq: 0, id: randomID())
        guard let name else { preconditionFailure("32 random digits are a name") }
        latest.withLock { $0 = name }
        return UtteranceID(name.id)
    }

    /// The name behind the newest press's id.
    func name(of id: UtteranceID) -> ItemName {
        guard let name = latest.withLock({ $0 }), name.id == id.rawValue else {
            preconditionFailure("only the newest press becomes a recording")
        }
        return name
    }
}
