/// Takes the DC out that a microphone adds: the mean of the first 10 ms, for each channel. What is left of it, and
/// what drifts, is the high-pass's; without this seed the filter would answer the step with a thump.
struct DCOffset {
    private let channels: Int
    private let seed: Int
    private var means: (Float, Float)?

    init(channels: Int, rate: Int) {
        self.channels = channels
        seed = max(rate / 100, 1)
    }

    /// Interleaved, in place. The first call's frames are the seed.
    mutating func remove(_ samples: UnsafeMutablePointer<Float>, count: Int) {
        guard count > 0 else { return }
        let means = means ?? (mean(samples, count: count), mean(samples + (channels - 1), count: count))
        self.means = means
        if channels == 1 {
            for i in 0..<count { samples[i] -= means.0 }
        } else {
            for i in 0..<count {
                samples[2 &* i] -= means.0
                samples[2 &* i &+ 1] -= means.1
            }
        }
    }

    private func mean(_ samples: UnsafePointer<Float>, count: Int) -> Float {
        let used = min(count, seed)
        var sum = 0.0
        for i in 0..<used { sum += Double(samples[i * channels]) }
        return Float(sum / Double(used))
    }
}
