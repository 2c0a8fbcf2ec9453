import CMath

/// Decibels to a factor of amplitude.
enum Decibels {
    /// Kept within ±120 dB, so that no setting makes a sample infinite.
    static func factor(_ decibels: Double) -> Float {
        decibels == 0 ? 1 : Float(lapel_pow10(min(max(decibels, -120), 120) / 20))
    }
}

/// Samples at the end of the converter's scale, in any format.
enum Clipping {
    static func count(_ samples: UnsafePointer<Float>, count: Int) -> Int {
        var clipped = 0
        for i in 0..<count where samples[i] >= 32_767 || samples[i] <= -32_768 { clipped &+= 1 }
        return clipped
    }
}

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

/// Notices a microphone that gives nothing: every sample of a channel the same, for one second from the start.
/// A signal that was there once and dies later is silence, not a fault.
struct SignalPresence {
    private let channels: Int
    private let patience: Int
    private var first: (Float, Float)?
    private var constant = 0
    private var settled = false

    init(channels: Int, rate: Int) {
        self.channels = channels
        patience = rate
    }

    /// True once, when the second is over.
    mutating func isMissing(_ samples: UnsafePointer<Float>, count: Int) -> Bool {
        guard !settled, count > 0 else { return false }
        let first = first ?? (samples[0], samples[channels - 1])
        self.first = first
        for i in 0..<(count * channels) where samples[i] != (i % channels == 0 ? first.0 : first.1) {
            settled = true
            return false
        }
        constant += count
        guard constant >= patience else { return false }
        settled = true
        return true
    }
}
