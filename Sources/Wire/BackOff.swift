/// How long to wait after failures in a row: 1–2 s, 2–4 s, 4–8 s … up to 300 s, with jitter, so that devices that
/// lost the same host do not come back in step.
package struct BackOff: Equatable, Sendable {
    package static let longest: Duration = .seconds(300)
    /// A host that asks for more than this in `Retry-After` is asked again after this.
    package static let longestRetryAfter: Duration = .seconds(3600)

    /// Failures since the last reset.
    package private(set) var failures = 0

    package init() {}

    /// One more failure: how long to wait now. `random` is any 64 random bits. The host's `Retry-After` counts
    /// instead when it came, from 1 s to an hour.
    package mutating func next(random: UInt64, retryAfter: Duration? = nil) -> Duration {
        let ceiling = min(Self.longest, .seconds(2 << min(failures, 8)))
        failures += 1
        if let retryAfter { return min(max(retryAfter, .seconds(1)), Self.longestRetryAfter) }
        let half = ceiling / 2
        return half + half * (Double(random >> 11) / Double(UInt64(1) << 53))
    }

    /// Something went well, or there is a reason to hope: link-up, a press, a new utterance.
    package mutating func reset() { failures = 0 }
}
