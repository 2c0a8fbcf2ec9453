/// How often strangers of one address are told why they are refused; beyond that they are told to wait.
///
/// A bucket for each address: it holds `burst` knocks, and one comes back every `pause`. At most `addresses` buckets
/// are remembered; when there are more, the full ones are forgotten, and the addresses for which there is no place
/// share one bucket: whoever has many addresses gains nothing, and the memory is bounded.
struct KnockLimit: Equatable, Sendable {
    let burst: Int
    let pause: Duration
    let addresses: Int

    private struct Bucket: Equatable, Sendable {
        var left: Int
        /// When `left` was right.
        var at: Duration
    }

    private var buckets: [String: Bucket] = [:]
    private var shared: Bucket?

    init(burst: Int = 20, pause: Duration = .seconds(3), addresses: Int = 1024) {
        self.burst = burst
        self.pause = pause
        self.addresses = addresses
    }

    /// Counts a knock of `address`. Nil: it is answered. Else how long to wait for the next one.
    mutating func knock(_ address: String, at now: Duration) -> Duration? {
        if buckets[address] == nil, buckets.count >= addresses { forgetFull(at: now) }
        if buckets[address] == nil, buckets.count >= addresses {
            return take(&shared, at: now)
        }
        return take(&buckets[address], at: now)
    }

    /// How long `address` has to wait before it is answered; nil when it has not. Counts nothing.
    func wait(_ address: String, at now: Duration) -> Duration? {
        let bucket = buckets[address] ?? (buckets.count >= addresses ? shared : nil)
        guard let bucket = bucket.map({ refilled($0, at: now) }), bucket.left == 0 else { return nil }
        return bucket.at + pause - now
    }

    private func take(_ bucket: inout Bucket?, at now: Duration) -> Duration? {
        var current = refilled(bucket ?? Bucket(left: burst, at: now), at: now)
        defer { bucket = current }
        guard current.left > 0 else { return current.at + pause - now }
        current.left -= 1
        return nil
    }

    private func refilled(_ bucket: Bucket, at now: Duration) -> Bucket {
        let back = Int((now - bucket.at) / pause)
        guard back > 0 else { return bucket }
        // What comes back begins when the bucket stops being full.
        guard bucket.left + back < burst else { return Bucket(left: burst, at: now) }
        return Bucket(left: bucket.left + back, at: bucket.at + pause * back)
    }

    private mutating func forgetFull(at now: Duration) {
        buckets = buckets.filter { refilled($0.value, at: now).left < burst }
    }
}
