import AudioFiles
import Glibc

/// A recording as the comparison hears it: one channel at 16 kHz, full scale at ±1.
struct ComparedSound: Sendable {
    static let rate = 16_000
    let samples: [Float]

    var seconds: Double { Double(samples.count) / Double(Self.rate) }

    init(samples: [Float]) { self.samples = samples }

    init(_ pcm: PCM) { samples = Self.resampled(Self.mono(pcm), from: pcm.rate) }

    /// The mean of the channels; of two, the louder one alone when the other is 40 dB below it: a stereo file
    /// with one dead channel is recorded from the live one.
    private static func mono(_ pcm: PCM) -> [Float] {
        let channels = pcm.channels
        var energy = [Double](repeating: 0, count: channels)
        for (index, sample) in pcm.samples.enumerated() {
            energy[index % channels] += Double(sample) * Double(sample)
        }
        let loudest = energy.max() ?? 0
        let live = energy.indices.filter { energy[$0] > loudest * 1e-4 || loudest == 0 }
        let scale = 1 / (32_768 * Float(max(live.count, 1)))
        return (0..<pcm.frames).map { frame in
            live.reduce(Float(0)) { $0 + Float(pcm.samples[frame * channels + $1]) } * scale
        }
    }

    /// A windowed sinc (Hann, 12 zero crossings a side) with its corner at 0.46 of the lower rate: flat to 4 kHz,
    /// which is all the comparison looks at.
    private static func resampled(_ input: [Float], from rate: Int) -> [Float] {
        guard rate != Self.rate, rate > 0 else { return input }
        let divisor = greatestCommonDivisor(rate, Self.rate)
        let up = Self.rate / divisor
        let down = rate / divisor
        let corner = 0.92 * min(1, Double(Self.rate) / Double(rate))
        let reach = Int((12 / corner).rounded(.up))
        // One set of taps for each of the `up` positions an output sample can have between two input samples.
        let phases: [[Float]] = (0..<up).map { phase in
            let taps = (-reach + 1...reach).map { k -> Double in
                let x = Double(k) - Double(phase) / Double(up)
                let window = abs(x) < Double(reach) ? 0.5 + 0.5 * cos(Double.pi * x / Double(reach)) : 0
                let angle = Double.pi * corner * x
                return window * (angle == 0 ? 1 : sin(angle) / angle)
            }
            let sum = taps.reduce(0, +)
            return taps.map { Float($0 / sum) }
        }
        return input.withUnsafeBufferPointer { input in
            (0..<input.count * up / down).map { index in
                let position = index * down
                let first = position / up - reach + 1
                let taps = phases[position % up]
                var sum: Float = 0
                for k in max(0, -first)..<max(max(0, -first), min(taps.count, input.count - first)) {
                    sum += taps[k] * input[first + k]
                }
                return sum
            }
        }
    }

    private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        b == 0 ? a : greatestCommonDivisor(b, a % b)
    }
}
