import Wire

/// What happened to the device's recordings on their way. Times are since the zero of `CLOCK_MONOTONIC`.
package enum ShipperEvent: Equatable, Sendable {
    /// The host has the manifest: it knows of the utterance.
    case rung(ItemName, at: Duration)
    /// The host's receipt for the audio is here; both digests are ours.
    case stored(ItemName, at: Duration)
    /// The device no longer holds it.
    case letGo(ItemName, at: Duration)
    /// The host knows which utterances were dropped unsent.
    case gapTold(ItemName, at: Duration)
    /// A foreign server has all of it; it lies in `sent/` until room is needed.
    case setAside(ItemName, at: Duration)
    /// Given up for good and kept in `parked/`.
    case parked(ItemName, reason: String)
    /// This one waits; others go on.
    case delayed(ItemName, reason: String, retryIn: Duration)
    /// The host or the way to it is in trouble; everything waits.
    case unreachable(reason: String, retryIn: Duration)
    /// Nothing is sent until the pairing changes or somebody asks again.
    case mistrusted(reason: String)
    /// So many recordings are sealed to keys that the paired host does not hold. They wait for a host that does and are
    /// in nobody's way; told when the number is another, 0 after a pairing that helped.
    case heldBack(count: Int)
    /// So many recordings lie in the clear and go to no foreign server; told as the above.
    case heldInTheClear(count: Int)
    /// The device's own files make trouble; the recording stays.
    case problem(ItemName, reason: String)
    /// Nothing is left to send; the connection is closed.
    case idle
}
