import Outbox
import Wire

/// What is delivered as one: an utterance (manifest, then audio) or the record of a gap (its manifest alone).
enum Parcel: Equatable, Sendable {
    case item(OutboxItem)
    case gap(OutboxGap)

    var name: ItemName {
        switch self {
        case .item(let item): item.name
        case .gap(let gap): gap.name
        }
    }
}
