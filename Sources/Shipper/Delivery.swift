import Wire

/// How far the delivery of one parcel is: its uploads in order, and the session of the one that is under way.
struct Delivery: Equatable {
    private(set) var cargo: [Cargo]
    private(set) var session: TusSession

    /// Nil for a parcel without cargo.
    init?(_ cargo: [Cargo]) {
        guard let first = cargo.first else { return nil }
        self.cargo = cargo
        session = TusSession(first.upload)
    }

    /// The upload that is under way.
    var current: Cargo { cargo[0] }

    /// The first action, or the next one after a wait.
    mutating func goOn() -> TusSession.Action { session.isWaiting ? session.resume() : session.begin() }

    /// The upload under way is received: the next one, or false when that was the last.
    mutating func nextCargo() -> Bool {
        guard cargo.count > 1 else { return false }
        cargo.removeFirst()
        session = TusSession(current.upload)
        return true
    }

    mutating func answered(_ response: TusSession.Response) -> TusSession.Action {
        session.answered(response)
    }
    mutating func failed(_ failure: TransferFailure) -> TusSession.Action { session.failed(failure) }
    mutating func fileCompared(intact: Bool) -> TusSession.Action { session.fileCompared(intact: intact) }
}
