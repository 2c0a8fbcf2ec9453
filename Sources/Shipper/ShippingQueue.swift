import Wire

/// Which parcel is next, and when: a machine without a clock.
///
/// What failed with an answer comes after everything that failed less often, so that a recording which makes the
/// host stumble never stands in the way of the others: an answer that the host is not well is taken for this recording's
/// alone until another one gets it too. What failed because there was no host keeps its turn.
struct ShippingQueue: Equatable {
    enum Next: Equatable {
        case deliver(ItemName)
        case sleep(until: Duration)
        /// Nothing waits.
        case nothing
        /// Something waits and may not be sent: see `mistrust`.
        case mistrusted
    }

    private struct Delay: Equatable {
        var backOff = BackOff()
        /// Not before this instant; nil when only its turn was lost.
        var until: Duration?
    }

    private var delays: [ItemName: Delay] = [:]
    private var host = Delay()
    /// What the host stumbled over since it last took something.
    private var stumbledOver: ItemName?
    private var mistrusted = false

    /// `waiting` is what the outbox holds, in order.
    mutating func next(_ waiting: some Collection<ItemName>, now: Duration) -> Next {
        guard let oldest = waiting.first else {
            delays = [:]
            return .nothing
        }
        if mistrusted { return .mistrusted }
        if let until = host.until, until > now { return .sleep(until: until) }
        // The usual case, whatever the backlog.
        if delays.isEmpty { return .deliver(oldest) }
        let names = Set(waiting)
        delays = delays.filter { names.contains($0.key) }
        let ready = waiting.filter { (delays[$0]?.until ?? now) <= now }
        guard let first = ready.min(by: { (failures($0), $0) < (failures($1), $1) }) else {
            return .sleep(until: waiting.compactMap { delays[$0]?.until }.min() ?? now)
        }
        return .deliver(first)
    }

    private func failures(_ name: ItemName) -> Int { delays[name]?.backOff.failures ?? 0 }

    /// A session waits. Returns for how long, and whether everything waits with it.
    mutating func waits(
        _ name: ItemName, _ reason: WaitReason, retryAfter: Duration?, now: Duration, random: UInt64
    ) -> (wait: Duration, concernsHost: Bool) {
        guard concernsHost(reason, name) else {
            return (delay(name, retryAfter: retryAfter, now: now, random: random), false)
        }
        let wait = host.backOff.next(random: random, retryAfter: retryAfter)
        host.until = now + wait
        switch reason {
        case .notNow, .noRoom: _ = delays[name, default: Delay()].backOff.next(random: random)
        case .unreachable, .stalled, .notAnUploadServer, .notAllowed: break
        // These do not concern the host.
        case .cut, .locked, .unfinished, .corruptedOnTheWay, .nonsense: break
        }
        return (wait, true)
    }

    private mutating func concernsHost(_ reason: WaitReason, _ name: ItemName) -> Bool {
        // What 500 says is said of the request (RFC 9110, 15.6.1).
        guard case .notNow(status: 500) = reason else { return reason.concernsHost }
        defer { stumbledOver = name }
        return stumbledOver.map { $0 != name } ?? false
    }

    /// This one waits; the others do not.
    mutating func delay(
        _ name: ItemName, retryAfter: Duration? = nil, now: Duration, random: UInt64
    ) -> Duration {
        let wait = delays[name, default: Delay()].backOff.next(random: random, retryAfter: retryAfter)
        delays[name]?.until = now + wait
        return wait
    }

    /// The host took something: the way is good.
    mutating func hostAnswered() {
        host = Delay()
        stumbledOver = nil
    }

    mutating func mistrust() { mistrusted = true }

    /// There is a reason to try everything at once: link-up, a press, a new utterance, another pairing.
    mutating func reset() {
        host = Delay()
        delays = [:]
        mistrusted = false
        stumbledOver = nil
    }
}
