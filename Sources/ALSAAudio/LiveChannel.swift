/// Makes one channel of two: the live one, or their mean when both are live.
///
/// An I2S microphone fills one slot of the frame; the other holds zeros or faint noise. A stereo microphone fills
/// both, and two speakers may each be near one of them: then only the mean loses nobody. So a slot is left out
/// only when it is dead (30 dB under the other, DC not counted), and comes back when it is within 10 dB of it:
/// the distance between the two is the hysteresis. When both are live but cancel each other (one is wired with
/// the opposite sign), the louder one is taken alone.
///
/// The first period with a signal decides at once, then every 100 ms; a change is faded over 10 ms, so that it cannot click.
struct LiveChannel {
    private static let dead = 1e-3  // −30 dB
    private static let alive = 1e-1  // −10 dB
    private static let cancelled = 0.1  // of the louder channel's energy

    private let window: Int
    private let fade: Int
    /// What each channel contributes: now, and when the fade is over.
    private var weights: (Float, Float) = (0.5, 0.5)
    private var goal: (Float, Float) = (0.5, 0.5)
    private var decided = false
    private var live = (true, true)
    private var frames = 0
    private var sum = (0.0, 0.0)
    private var squares = (0.0, 0.0)
    private var product = 0.0

    init(rate: Int) {
        window = rate / 10
        fade = max(rate / 100, 1)
    }

    /// Mixes `count` interleaved frames of two channels in place; the first `count` samples are the result.
    mutating func mix(_ samples: UnsafeMutablePointer<Float>, count: Int) {
        measure(samples, count: count)
        if !decided || frames >= window { decide() }
        var (a, b) = weights
        if a == goal.0, b == goal.1 {
            for i in 0..<count { samples[i] = samples[2 &* i] * a + samples[2 &* i &+ 1] * b }
            return
        }
        let steps = Float(fade)
        let (da, db) = ((goal.0 - a) / steps, (goal.1 - b) / steps)
        for i in 0..<count {
            if i < fade {
                a += da
                b += db
            } else {
                (a, b) = goal
            }
            samples[i] = samples[2 &* i] * a + samples[2 &* i &+ 1] * b
        }
        weights = goal
    }

    private mutating func measure(_ samples: UnsafeMutablePointer<Float>, count: Int) {
        var (sumA, sumB, squaresA, squaresB, both) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for i in 0..<count {
            let (a, b) = (Double(samples[2 &* i]), Double(samples[2 &* i &+ 1]))
            sumA += a
            sumB += b
            squaresA += a * a
            squaresB += b * b
            both += a * b
        }
        sum = (sum.0 + sumA, sum.1 + sumB)
        squares = (squares.0 + squaresA, squares.1 + squaresB)
        product += both
        frames += count
    }

    private mutating func decide() {
        let n = Double(max(frames, 1))
        let a = max(squares.0 - sum.0 * sum.0 / n, 0)
        let b = max(squares.1 - sum.1 * sum.1 / n, 0)
        let ab = product - sum.0 * sum.1 / n
        (frames, sum, squares, product) = (0, (0, 0), (0, 0), 0)
        let louder = max(a, b)
        guard louder > 0 else { return }  // both silent: nothing to learn from
        live.0 = a > louder * (live.0 ? Self.dead : Self.alive)
        live.1 = b > louder * (live.1 ? Self.dead : Self.alive)
        let cancels = (a + b + 2 * ab) / 4 < Self.cancelled * louder
        if live.0, live.1, !cancels {
            goal = (0.5, 0.5)
        } else {
            goal = a >= b ? (1, 0) : (0, 1)
        }
        if !decided { weights = goal }
        decided = true
    }
}
