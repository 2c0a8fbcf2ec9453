import CMath

/// Power spectrum of 512 real samples under a periodic Hann window, by a complex transform of half the length.
///
/// Scaled so that a sine of amplitude 1 that falls on a bin has, summed over the bins around it, the power 1 (0 dB):
/// |X|² / (512² · mean of the squared window / 2).
final class PowerSpectrum {
    static let length = 512
    /// Bins from 0 to half the sampling rate.
    static let bins = 257

    private static let half = 256
    private let window: FloatMemory
    /// Cosine and sine of 2πk/512.
    private let cosines: FloatMemory
    private let sines: FloatMemory
    /// Of each stage from 8 points on its twiddle factors, one behind the other, so that eight are read at once.
    private let stageCosines: FloatMemory
    private let stageSines: FloatMemory
    private let reversed: [UInt8]
    private let real = FloatMemory(half)
    private let imaginary = FloatMemory(half)
    private let power = FloatMemory(bins + 15)

    init() {
        let angle = { (k: Int) in 2 * Double.pi * Double(k) / Double(Self.length) }
        window = FloatMemory((0..<Self.length).map { Float(0.5 - 0.5 * lapel_cos(angle($0))) })
        cosines = FloatMemory((0..<Self.half).map { Float(lapel_cos(angle($0))) })
        sines = FloatMemory((0..<Self.half).map { Float(lapel_sin(angle($0))) })
        var (stageCosines, stageSines) = ([Float](), [Float]())
        for size in [8, 16, 32, 64, 128, 256] {
            for k in 0..<size / 2 {
                stageCosines.append(Float(lapel_cos(angle(k * (Self.length / size)))))
                stageSines.append(Float(-lapel_sin(angle(k * (Self.length / size)))))
            }
        }
        self.stageCosines = FloatMemory(stageCosines)
        self.stageSines = FloatMemory(stageSines)
        reversed = (0..<Self.half).map(Self.mirrored)
    }

    /// Eight bits in the opposite order.
    private static func mirrored(_ index: Int) -> UInt8 {
        var (bits, mirror) = (UInt8(index), UInt8(0))
        for _ in 0..<8 {
            mirror = mirror << 1 | bits & 1
            bits >>= 1
        }
        return mirror
    }

    /// The spectrum of 512 samples: 257 powers, and fifteen zeros behind them. Valid until the next call.
    func of(_ samples: UnsafePointer<Float>) -> UnsafePointer<Float> {
        let (re, im, window) = (real.start, imaginary.start, window.start)
        reversed.withUnsafeBufferPointer { reversed in
            for index in 0..<Self.half {
                let from = 2 &* Int(reversed[index])
                re[index] = samples[from] * window[from]
                im[index] = samples[from &+ 1] * window[from &+ 1]
            }
        }
        transform()
        separate()
        return UnsafePointer(power.start)
    }

    /// In place, of what stands in bit-reversed order.
    private func transform() {
        let (re, im) = (real.start, imaginary.start)
        for i in stride(from: 0, to: Self.half, by: 4) {  // the stages of 2 and 4 points as one
            let (a, b) = (re[i] + re[i + 1], im[i] + im[i + 1])
            let (c, d) = (re[i] - re[i + 1], im[i] - im[i + 1])
            let (e, f) = (re[i + 2] + re[i + 3], im[i + 2] + im[i + 3])
            let (g, h) = (re[i + 2] - re[i + 3], im[i + 2] - im[i + 3])
            (re[i], im[i]) = (a + e, b + f)
            (re[i + 2], im[i + 2]) = (a - e, b - f)
            (re[i + 1], im[i + 1]) = (c + h, d - g)
            (re[i + 3], im[i + 3]) = (c - h, d + g)
        }
        for i in stride(from: 0, to: Self.half, by: 8) {
            for k in 0..<4 {
                let (c, s) = (stageCosines.start[k], stageSines.start[k])
                let (x, y) = (re[i + k + 4], im[i + k + 4])
                let (tr, ti) = (x * c - y * s, x * s + y * c)
                (re[i + k + 4], im[i + k + 4]) = (re[i + k] - tr, im[i + k] - ti)
                re[i + k] += tr
                im[i + k] += ti
            }
        }
        var table = 4
        var size = 16
        while size <= Self.half {
            let width = size / 2
            let (cosines, sines) = (stageCosines.start + table, stageSines.start + table)
            for i in stride(from: 0, to: Self.half, by: size) {
                for k in stride(from: 0, to: width, by: 8) {
                    let (c, s) = (cosines.eight(k), sines.eight(k))
                    let (near, far) = (i &+ k, i &+ k &+ width)
                    let (x, y) = (re.eight(far), im.eight(far))
                    let (tr, ti) = (x * c - y * s, x * s + y * c)
                    let (u, v) = (re.eight(near), im.eight(near))
                    re.setEight(far, u - tr)
                    im.setEight(far, v - ti)
                    re.setEight(near, u + tr)
                    im.setEight(near, v + ti)
                }
            }
            table += width
            size *= 2
        }
    }

    /// The transform of the real samples from that of their even and odd ones, as powers.
    private func separate() {
        let (re, im, power) = (real.start, imaginary.start, power.start)
        let (cosines, sines) = (cosines.start, sines.start)
        let scale: Float = 1 / (512 * 512 * 0.375 / 2)
        let (sum, difference) = (re[0] + im[0], re[0] - im[0])
        power[0] = sum * sum * scale
        power[256] = difference * difference * scale
        for i in 1..<Self.half {
            let j = Self.half &- i
            let (a, b) = (0.5 * (re[i] + re[j]), 0.5 * (im[i] - im[j]))
            let (c, d) = (0.5 * (im[i] + im[j]), 0.5 * (re[j] - re[i]))
            let x = a + c * cosines[i] + d * sines[i]
            let y = b - c * sines[i] + d * cosines[i]
            power[i] = (x * x + y * y) * scale
        }
    }
}
