import CMath

/// A Butterworth high-pass of second order, one channel, in place.
///
/// Bilinear transform with the corner pre-warped; coefficients as in R. Bristow-Johnson, "Cookbook formulae for
/// audio EQ biquad filter coefficients", Q = 1/√2. Direct form II transposed in `Double`: a pole this near to 1
/// would leave `Float` too few bits.
struct HighPass {
    private let b: Double
    private let a1: Double
    private let a2: Double
    private var s1 = 0.0
    private var s2 = 0.0

    /// `corner` in hertz, kept below a quarter of `rate`.
    init(corner: Double, rate: Int) {
        let w = 2 * Double.pi * min(max(corner, 0.1), Double(rate) / 4) / Double(rate)
        let (cosine, alpha) = (lapel_cos(w), lapel_sin(w) / 2.0.squareRoot())
        let a0 = 1 + alpha
        b = (1 + cosine) / 2 / a0
        a1 = -2 * cosine / a0
        a2 = (1 - alpha) / a0
    }

    /// Filters every `stride`-th sample, `count` of them.
    mutating func apply(_ samples: UnsafeMutablePointer<Float>, count: Int, stride: Int) {
        var (s1, s2) = (s1, s2)
        for i in 0..<count {
            let x = Double(samples[i &* stride])
            let y = b * x + s1
            s1 = -2 * b * x - a1 * y + s2
            s2 = b * x - a2 * y
            samples[i &* stride] = Float(y)
        }
        // Long digital silence must not end in denormal numbers, which some processors compute slowly.
        self.s1 = abs(s1) < 1e-20 ? 0 : s1
        self.s2 = abs(s2) < 1e-20 ? 0 : s2
    }
}
