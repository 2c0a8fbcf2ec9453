import Synchronization
import Threads

/// Who knocks without being known, and how often. One for a server or for a kind of request; called from its
/// connections' threads.
package final class Strangers: Sendable {
    private let knocks = Mutex(KnockLimit())
    private let now: @Sendable () -> Duration

    package init(now: @escaping @Sendable () -> Duration = { MonotonicClock.now }) { self.now = now }

    /// Counts a refused request: the refusal, or that it is to wait.
    package func refuse(_ request: Request, _ refusal: Answer) -> Answer {
        let wait = knocks.withLock { $0.knock(Self.network(request.address), at: now()) }
        return wait.map(Self.wait) ?? refusal
    }

    /// That it is to wait, for the ones before it from there were refused. Counts nothing.
    package func mustWait(_ request: Request) -> Answer? {
        knocks.withLock { $0.wait(Self.network(request.address), at: now()) }.map(Self.wait)
    }

    private static func wait(_ time: Duration) -> Answer {
        .refusal(
            429, "Too many refused requests from this address: wait.",
            [("Retry-After", String(max(1, time.components.seconds + 1)))])
    }

    /// Of IPv6 the first 64 bits: a household has all addresses behind them.
    static func network(_ address: String) -> String {
        guard address.contains(":"), !address.hasPrefix("::ffff:") else { return address }
        let halves = address.components(separatedBy: "::")
        var groups = halves[0].split(separator: ":").map(String.init)
        if halves.count == 2 {
            let behind = halves[1].split(separator: ":").map(String.init)
            groups += Array(repeating: "0", count: max(0, 8 - groups.count - behind.count)) + behind
        }
        return groups.prefix(4).joined(separator: ":") + "::/64"
    }
}

extension String {
    /// Foundation's of the same name, for one that this target does without.
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
    }
}
