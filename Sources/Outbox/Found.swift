import Wire

/// What start-up found under one name.
struct Found: Sendable {
    /// Where its audio is, and its format; nil when there is none.
    var audio: (place: Layout.Place, format: String)?
    /// Where its manifest is. In more than one place only after a cut that brought names to the card out of order.
    var manifests: Set<Layout.Place> = []
    var head = false
    var gap = false
}

/// What start-up does about one name.
enum StartUpAction: Equatable, Sendable {
    /// It is whole where it is, or is no concern of start-up's.
    case keep
    /// Unfinished: take its whole manifest or salvage it, then commit. `from` is `rec` or `out`.
    case finish(from: Layout.Place)
    /// Its manifest went ahead to `to`: the audio follows.
    case follow(from: Layout.Place, to: Layout.Place)
    /// It was about to be dropped and still is whole: its gap record becomes its manifest again.
    case restore
    /// No audio: it was received, discarded, or never began.
    case removeLeftovers
}

extension Found {
    /// The table. Audio is looked at first: nothing that has audio is ever removed.
    var action: StartUpAction {
        switch audio?.place {
        case .rec:
            return manifests.contains(.out) ? .follow(from: .rec, to: .out) : .finish(from: .rec)
        case .out:
            if manifests.contains(.out) { return .keep }
            if manifests.contains(.parked) { return .follow(from: .out, to: .parked) }
            if manifests.contains(.sent) { return .follow(from: .out, to: .sent) }
            return gap ? .restore : .finish(from: .out)
        case .parked, .sent:
            return .keep
        case nil:
            // A manifest alone in `parked/` or `sent/` is kept: somebody may want to know what it was.
            return head || manifests.contains(.rec) || manifests.contains(.out) ? .removeLeftovers : .keep
        }
    }
}
