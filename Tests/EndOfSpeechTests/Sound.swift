import Foundation
import TestSupport

/// Sound made by a test: samples of −1…1 at a rate.
struct Sound {
    var samples: [Float]
    var rate = 16_000

    init(_ samples: [Float], rate: Int = 16_000) {
        self.samples = samples
        self.rate = rate
    }

    init(int16: [Int16]) { samples = int16.map { Float($0) / 32_768 } }

    /// Clipped at full scale.
    var int16: [Int16] { samples.map { Int16(max(-32_768, min(32_767, ($0 * 32_768).rounded()))) } }

    var seconds: Double { Double(samples.count) / Double(rate) }

    /// RMS in dB below that of a full-scale sine.
    var dbfs: Double {
        let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1))
        return 10 * log10(2 * power + 1e-12)
    }

    /// Brought to this level.
    func at(_ dbfs: Double) -> Sound {
        let factor = Float(pow(10, (dbfs - self.dbfs) / 20))
        return Sound(samples.map { $0 * factor }, rate: rate)
    }

    /// Seconds from … to …
    func part(_ from: Double, _ to: Double) -> Sound {
        Sound(
            Array(samples[Int(from * Double(rate))..<min(samples.count, Int(to * Double(rate)))]), rate: rate)
    }

    static func + (a: Sound, b: Sound) -> Sound { Sound(a.samples + b.samples, rate: a.rate) }

    /// With another sound on top, from `at` seconds on; what hangs over is cut.
    func with(_ other: Sound, at seconds: Double = 0) -> Sound {
        var mixed = self
        let start = Int(seconds * Double(rate))
        for (index, sample) in other.samples.enumerated() where start + index < mixed.samples.count {
            mixed.samples[start + index] += sample
        }
        return mixed
    }

    static func silence(_ seconds: Double) -> Sound {
        Sound([Float](repeating: 0, count: Int(seconds * 16_000)))
    }

    /// Noise of a power falling by `slope` dB per octave about: 0 white, 3 pink-like, 6 brown.
    static func noise(seconds: Double, dbfs: Double, slope: Double = 0, rate: Int = 16_000, seed: UInt64 = 1)
        -> Sound
    {
        var random = SeededGenerator(seed: seed)
        var slow: Float = 0
        let share = Float(slope / 6)
        return Sound(
            (0..<Int(seconds * Double(rate))).map { _ in
                let white = Float.random(in: -1...1, using: &random)
                slow += 0.02 * (white - slow)
                return (1 - share) * white + share * 8 * slow
            }, rate: rate
        ).at(dbfs)
    }

    static func tones(_ hertz: [Double], seconds: Double, dbfs: Double) -> Sound {
        Sound(
            (0..<Int(seconds * 16_000)).map { index in
                let t = Double(index) / 16_000
                return Float(hertz.reduce(0) { $0 + sin(2 * .pi * $1 * t) })
            }
        ).at(dbfs)
    }

    /// Loud at once, then dying away with this time constant.
    func dying(_ constant: Double) -> Sound {
        Sound(
            samples.enumerated().map {
                Float(exp(-Double($0.offset) / Double(rate) / constant)) * $0.element
            },
            rate: rate)
    }

    /// In a room whose echo falls by 60 dB in half a second.
    func reverberant(seed: UInt64 = 3) -> Sound {
        let echo = Sound.noise(seconds: 0.3, dbfs: -20, seed: seed).dying(0.07).samples
        var out = samples
        // Sparse, so that it stays quick: one echo in 40.
        for tap in stride(from: 200, to: echo.count, by: 40) {
            for index in stride(from: tap, to: out.count, by: 1) {
                out[index] += 6 * echo[tap] * samples[index - tap]
            }
        }
        return Sound(out, rate: rate)
    }

    /// The same sound with noise in place of the voice: linear prediction of 20 ms frames, excited by noise.
    func whispered(seed: UInt64 = 5) -> Sound {
        var random = SeededGenerator(seed: seed)
        let (frame, order) = (320, 16)
        var out = [Float](repeating: 0, count: samples.count)
        var memory = [Double](repeating: 0, count: order)
        for start in stride(from: 0, to: samples.count - frame, by: frame) {
            let (a, error) = Self.prediction(samples[start..<start + frame].map { Double($0) }, order: order)
            // Of the window's mean power, and of noise between −1 and 1.
            let gain = (3 * max(error, 0) / (0.375 * Double(frame))).squareRoot()
            for k in 0..<frame {
                var y = gain * Double.random(in: -1...1, using: &random)
                for j in 1...order { y -= a[j] * memory[j - 1] }
                memory = [y] + memory.dropLast()
                out[start + k] = Float(y)
            }
        }
        return Sound(out, rate: rate)
    }

    /// Coefficients and the power of what they leave, under a Hann window: Levinson and Durbin.
    private static func prediction(_ frame: [Double], order: Int) -> (a: [Double], error: Double) {
        let x = frame.enumerated().map { index, sample -> Double in
            let angle: Double = 2 * Double.pi * (Double(index) + 0.5) / Double(frame.count)
            return sample * (0.5 - 0.5 * cos(angle))
        }
        var r = (0...order).map { lag -> Double in
            var sum = 0.0
            for index in lag..<x.count { sum += x[index] * x[index - lag] }
            return sum
        }
        r[0] = r[0] * 1.0001 + 1e-9
        var a = [1.0] + [Double](repeating: 0, count: order)
        var error: Double = r[0]
        for i in 1...order {
            var sum = 0.0
            for j in 0..<i { sum += a[j] * r[i - j] }
            let k: Double = -sum / error
            let old = a
            for j in 1...i { a[j] = old[j] + k * old[i - j] }
            error *= 1 - k * k
        }
        return (a, error)
    }

    /// By a windowed sinc, for a whole recording at once.
    func resampled(to other: Int) -> Sound {
        let step = Double(rate) / Double(other)
        let half = 16
        return Sound(
            (0..<Int(Double(samples.count) / step)).map { index in
                let centre = Double(index) * step
                let first = Int(centre) - half + 1
                var sum = 0.0
                for k in max(first, 0)..<min(first + 2 * half, samples.count) {
                    let x = Double(k) - centre
                    let sinc = abs(x) < 1e-9 ? 1 : sin(.pi * x) / (.pi * x)
                    sum += Double(samples[k]) * sinc * (0.5 + 0.5 * cos(.pi * x / Double(half + 1)))
                }
                return Float(sum)
            }, rate: other)
    }
}
