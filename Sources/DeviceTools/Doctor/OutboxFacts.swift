import Device

/// What waits on the device, as it was found.
struct OutboxFacts: Equatable, Sendable {
    var waiting: Int
    /// Of those, on the card.
    var bytes: Int
    /// Refused by the host for good, or not understood.
    var parked: Int
    /// Sealed to keys that the paired host does not hold.
    var heldBack: Int
    var isPaired: Bool
    /// Why presses are refused; nil when they are not.
    var refusal: String?
    /// Why the folders cannot be read.
    var unreadable: Obstacle?

    init(
        waiting: Int = 0, bytes: Int = 0, parked: Int = 0, heldBack: Int = 0, isPaired: Bool = true,
        refusal: String? = nil, unreadable: Obstacle? = nil
    ) {
        self.waiting = waiting
        self.bytes = bytes
        self.parked = parked
        self.heldBack = heldBack
        self.isPaired = isPaired
        self.refusal = refusal
        self.unreadable = unreadable
    }

    var finding: Finding {
        if let unreadable { return .faulty("outbox", unreadable) }
        let waits =
            waiting == 0
            ? "Nothing waits."
            : "\(waiting) recording\(waiting == 1 ? " waits" : "s wait") (\(bytes / 1000) kB)."
        if let refusal {
            return .faulty(
                "outbox", "\(waits) Presses are refused: \(refusal)",
                mend: "`lapel outbox export DIR` copies everything out.")
        }
        if parked > 0 {
            return .doubtful(
                "outbox",
                "\(waits) \(parked) \(parked == 1 ? "was" : "were") refused by the host for good, or not understood, and kept.",
                mend: "`lapel outbox` lists them, `lapel outbox export DIR` copies them out.")
        }
        if heldBack > 0 {
            return .doubtful(
                "outbox", "\(waits) \(heldBack) of them sealed to another host's key, and held back.",
                mend:
                    "Pair with a host that holds it (`lapel-host key import`), or `lapel outbox export DIR`.")
        }
        if waiting > 0, !isPaired {
            return .doubtful("outbox", waits, mend: "Pair with a host, or `lapel outbox export DIR`.")
        }
        return .good("outbox", waits)
    }
}
