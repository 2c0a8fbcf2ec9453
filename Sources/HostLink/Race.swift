import Wire

/// Which place is tried when, while the host is looked for: a machine without a clock.
///
/// The first is tried at once, each further one 250 ms after the one before (RFC 8305, 5, the connection attempt
/// delay), or as soon as one has failed.
struct Race: Equatable {
    static let stagger: Duration = .milliseconds(250)
    /// So many places in all: a network full of answers is no reason to ask for ever.
    static let most = 16

    private var waiting: [HostAddress]
    private var known: Set<HostAddress>
    /// When the next one may start; nil: at once.
    private var notBefore: Duration?

    init(_ places: [HostAddress]) {
        known = []
        waiting = []
        add(places)
    }

    /// More places, in the order of their hope; those known already are passed over.
    mutating func add(_ places: [HostAddress]) {
        for place in places where known.count < Self.most && known.insert(place).inserted {
            waiting.append(place)
        }
    }

    /// The place to try now, if it is time for one.
    mutating func next(now: Duration) -> HostAddress? {
        guard let first = waiting.first, (notBefore ?? now) <= now else { return nil }
        waiting.removeFirst()
        notBefore = now + Self.stagger
        return first
    }

    /// A try has failed: the next need not wait.
    mutating func failed() { notBefore = nil }

    /// When `next` has something; nil when no place is left.
    var due: Duration? { waiting.isEmpty ? nil : notBefore ?? .zero }
}
