import Wire

/// Items by sequence number, and their bytes, kept as they come and go: nothing here costs more for a full outbox
/// than a search among names and the moving of an array's end.
struct ItemList: Sendable {
    private(set) var items: [OutboxItem] = []
    /// Of all of them, on the card.
    private(set) var bytes = 0

    /// Those of start-up, in any order.
    init(_ items: [OutboxItem] = []) {
        self.items = items.sorted { $0.name < $1.name }
        bytes = items.reduce(0) { $0 + $1.bytes }
    }

    var count: Int { items.count }
    var isEmpty: Bool { items.isEmpty }
    var first: OutboxItem? { items.first }

    mutating func insert(_ item: OutboxItem) {
        items.insert(item, at: place(of: item.name))
        bytes += item.bytes
    }

    /// Nil when there is none of that name.
    mutating func remove(_ name: ItemName) -> OutboxItem? {
        let index = place(of: name)
        guard index < items.count, items[index].name == name else { return nil }
        bytes -= items[index].bytes
        return items.remove(at: index)
    }

    /// The oldest; nil when there is none.
    mutating func removeFirst() -> OutboxItem? {
        guard let first = items.first else { return nil }
        return remove(first.name)
    }

    /// Where that name is, or belongs.
    private func place(of name: ItemName) -> Int {
        var range = 0..<items.count
        // A new item nearly always is the last one.
        if let last = items.last, last.name < name { return items.count }
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            if items[middle].name < name {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }
}
