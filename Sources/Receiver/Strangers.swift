import Synchronization
import Threads

/// Who knocks without being known, and how often. One for a server; called from its connections' threads.
final class Strangers: Sendable {
    private struct State: Sendable {
        var requests = KnockLimit()
        /// Apart, so that somebody who knocks elsewhere from the same address keeps no device from being paired.
        var pairings = KnockLimit()
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Duration

    init(now: @escaping @Sendable () -> Duration = { MonotonicClock.now }) { self.now = now }

    /// The refusal, or that it is to wait.
    func refuse(_ request: Request, _ refusal: Answer) -> Answer {
        let wait = state.withLock { $0.requests.knock(Self.network(request.address), at: now()) }
        return wait.map(Self.wait) ?? refusal
    }

    /// Before a pairing request is read: that it is to wait, for the ones before it from there were refused.
    func pairingMustWait(_ request: Request) -> Answer? {
        state.withLock { $0.pairings.wait(Self.network(request.address), at: now()) }.map(Self.wait)
    }

    /// A pairing request was refused.
    func notePairingRefused(_ request: Request) {
        state.withLock { _ = $0.pairings.knock(Self.network(request.address), at: now()) }
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
