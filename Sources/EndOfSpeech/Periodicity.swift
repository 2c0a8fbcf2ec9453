/// How periodic 40 ms of sound are: the largest normalised autocorrelation for periods of 2.5 to 14.25 ms (70 to 400 Hz,
/// a voice's pitch), after a low-pass at 1,500 Hz, at 4 kHz. 0 for noise, about 1 for a vowel.
final class Periodicity {
    /// Samples of 4 kHz in a frame of 20 ms.
    private static let frame = 80
    private static let span = 160
    private static let lags = 10...57

    /// A fourth-order Butterworth low-pass at 1,500 Hz for 16 kHz, as two biquads in transposed direct form II
    /// (Oppenheim and Schafer, Discrete-Time Signal Processing, 6.3).
    private struct Biquad {
        let b: (Float, Float, Float)
        let a: (Float, Float)
        var state: (Float, Float) = (0, 0)

        init(b: (Float, Float, Float), a: (Float, Float)) {
            self.b = b
            self.a = a
        }

        @inline(__always)
        mutating func pass(_ x: Float) -> Float {
            let y = b.0 * x + state.0
            state.0 = b.1 * x - a.0 * y + state.1
            state.1 = b.2 * x - a.1 * y
            return y
        }
    }

    private static let first = Biquad(
        b: (3.869518319e-03, 7.739036637e-03, 3.869518319e-03), a: (-1.098897270, 3.216325091e-01))
    private static let second = Biquad(b: (1, 2, 1), a: (-1.371374655, 6.493382739e-01))

    private var filters = (Periodicity.first, Periodicity.second)
    /// The frame before and the present one.
    private let slow = FloatMemory(span)
    /// The same without their mean, and zeros behind, so that every lag is one product of full length.
    private let centred = FloatMemory(span + 64)

    func reset() {
        filters = (Self.first, Self.second)
        slow.clear()
    }

    /// Takes the next 320 samples at 16 kHz.
    func of(_ samples: UnsafePointer<Float>) -> Float {
        let slow = slow.start
        slow.update(from: slow + Self.frame, count: Self.frame)
        var (one, two) = filters
        for index in 0..<Self.frame {
            slow[Self.frame + index] = two.pass(one.pass(samples[4 &* index]))
            _ = two.pass(one.pass(samples[4 &* index &+ 1]))
            _ = two.pass(one.pass(samples[4 &* index &+ 2]))
            _ = two.pass(one.pass(samples[4 &* index &+ 3]))
        }
        filters = (one, two)

        let centred = centred.start
        var sum: Float = 0
        for index in 0..<Self.span { sum += slow[index] }
        let mean = sum / Float(Self.span)
        for index in 0..<Self.span { centred[index] = slow[index] - mean }
        let values = UnsafePointer(centred)
        let power = values.dot(values, Self.span)
        var largest: Float = 0
        for lag in Self.lags {
            let count = Self.span - lag
            let product = values.dot(values + lag, (count + 15) / 16 * 16)
            largest = max(largest, product * Float(Self.span) / Float(count))
        }
        return largest / (power + 1e-9)
    }
}
