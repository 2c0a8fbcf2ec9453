/// How long nothing has moved on a connection, against what is borne: a machine without a clock.
struct Silence: Equatable {
    let limit: Duration
    private var moved: Int?
    private var since: Duration = .zero

    init(limit: Duration) { self.limit = limit }

    /// Looked at: true when as many bytes have moved as there had `limit` ago. It begins with the first look.
    ///
    /// - Parameters:
    ///   - moved: bytes so far, in both directions.
    ///   - now: on any clock that only goes forward.
    mutating func isOver(moved: Int, now: Duration) -> Bool {
        guard moved == self.moved else {
            self.moved = moved
            since = now
            return false
        }
        return now - since >= limit
    }
}
