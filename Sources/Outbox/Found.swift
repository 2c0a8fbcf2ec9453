import Wire

/// What start-up found under one name.
struct Found: Sendable {
    /// Where its audio is, and how it is written; nil when there is none.
    var audio: (place: Layout.Place, form: Form)?
    /// Whether any of its files is sealed.
    var sealed = false
    /// Where its manifest is. In more than one place only after a cut that brought names to the card out of order.
    var manifests: Set<Layout.Place> = []
    var head = false
    /// Where its tail journal is.
    var tails: Set<Layout.Place> = []
    var gap = false
    /// Paths of what was begun and never got its name.
    var unfinished: [String] = []
    /// Paths of copies of it that never took its place.
    var copies: [String] = []
}

/// What start-up does about one name.
enum StartUpAction: Equatable, Sendable {
    /// Its audio is where it belongs: what else is left of it follows, or goes.
    case keep(at: Layout.Place)
    /// Unfinished: take its whole manifest or salvage it, then commit. `from` is `rec` or `out`.
    case finish(from: Layout.Place)
    /// Its manifest went ahead to `to`: the audio follows.
    case follow(from: Layout.Place, to: Layout.Place)
    /// It was about to be dropped and still is whole: its gap record becomes its manifest again.
    case restore
    /// No audio: it was received, discarded, dropped, or never began.
    case removeLeftovers
    /// A manifest alone in `parked/` or `sent/`: somebody may want to know what it was.
    case leave
}

extension Found {
    /// The table. Audio is looked at first: nothing that has audio is ever removed.
    var action: StartUpAction {
        switch audio?.place {
        case .rec:
            return manifests.contains(.out) ? .follow(from: .rec, to: .out) : .finish(from: .rec)
        case .out:
            if manifests.contains(.out) { return .keep(at: .out) }
            if manifests.contains(.parked) { return .follow(from: .out, to: .parked) }
            if manifests.contains(.sent) { return .follow(from: .out, to: .sent) }
            // The gap record of a sealed one holds nothing of its manifest.
            return gap && !sealed ? .restore : .finish(from: .out)
        case .parked: return .keep(at: .parked)
        case .sent: return .keep(at: .sent)
        case nil:
            let isLeftover =
                head || !unfinished.isEmpty || !manifests.isDisjoint(with: [.rec, .out])
                || !tails.isDisjoint(with: [.rec, .out])
            return isLeftover ? .removeLeftovers : .leave
        }
    }
}
