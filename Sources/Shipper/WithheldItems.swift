import Wire

/// What is sealed to keys that the paired host does not hold, found out item by item when its turn comes: to look at
/// all of them first would cost a device with a long queue its first seconds. Begins anew with each pairing.
struct WithheldItems: Equatable {
    var names: Set<ItemName> = []
    private var isTold = false

    /// The others; what left the outbox is forgotten.
    mutating func others(of waiting: [Parcel]) -> [Parcel] {
        guard !names.isEmpty else { return waiting }
        names.formIntersection(waiting.map(\.name))
        return waiting.filter { !names.contains($0.name) }
    }

    /// The number, when it is to be told: it is another than the one told last, or the first of a pairing.
    mutating func news(since told: Int) -> Int? {
        let isNews = names.count != told || !isTold && !names.isEmpty
        isTold = isTold || !names.isEmpty
        return isNews ? names.count : nil
    }
}
