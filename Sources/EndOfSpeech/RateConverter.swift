import CMath

/// Brings one channel of any rate to 16 kHz, for the network.
///
/// A windowed-sinc filter in phases (Crochiere and Rabiner, Multirate Digital Signal Processing, 1983, chapter 2) under a
/// Kaiser window: flat to 6.9 kHz, −6 dB at 7.5 kHz, more than 50 dB down from 8.1 kHz on; from a slower source at the same
/// shares of its rate. It looks at no later sample: what comes out is about a millisecond late instead. 16 kHz pass unchanged.
final class RateConverter {
    /// More phases than these are rounded to the nearest: a step of 1/640 of a sample is far below the network's ear.
    private static let mostPhases = 640
    /// Samples taken in at once.
    private static let piece = 1024

    private let isPlain: Bool
    /// The source advances by whole + part/parts samples for each sample out.
    private let whole: Int
    private let part: Int
    private let parts: Int
    private let phases: Int
    private let taps: Int
    /// Phase by phase, the earliest sample first.
    private let filter: FloatMemory
    /// The latest `taps` − 1 samples, then the piece.
    private let held: FloatMemory
    /// Samples out, before they are handed over.
    private let block = FloatMemory(piece)
    /// Where the next sample out lies behind the samples already taken in, in the source's samples and parts.
    private var next = (whole: 0, part: 0)

    /// - Parameter rate: samples per second of the source; at least 1.
    init(rate: Int) {
        precondition(rate > 0, "a source has samples")
        isPlain = rate == 16_000
        var (a, b) = (rate, 16_000)
        while b != 0 { (a, b) = (b, a % b) }
        parts = 16_000 / a
        whole = rate / 16_000
        part = (rate % 16_000) / a
        phases = min(parts, Self.mostPhases)
        let stretch = max(1, Double(rate) / 16_000)
        taps = isPlain ? 16 : (Int(40 * stretch) + 15) / 16 * 16
        filter = FloatMemory(isPlain ? [] : Self.design(phases: phases, taps: taps, cutOff: 0.469 / stretch))
        held = FloatMemory(taps + Self.piece)
    }

    /// Kaiser's β: 53 dB.
    private static let sharpness = 5.0

    /// The modified Bessel function of order 0, by its series.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for k in 1...30 {
            term *= (x / 2 / Double(k)) * (x / 2 / Double(k))
            sum += term
        }
        return sum
    }

    /// Forgets all that was heard.
    func reset() {
        held.clear()
        next = (0, 0)
    }

    /// - Parameter cutOff: as a share of the source's rate.
    private static func design(phases: Int, taps: Int, cutOff: Double) -> [Float] {
        let centre = Double(taps) / 2
        return (0..<phases).flatMap { phase -> [Float] in
            let heights = (0..<taps).map { tap -> Double in
                // How far the tap lies from the middle of the response, in samples of the source.
                let x = Double(taps - 1 - tap) + Double(phase) / Double(phases) - centre
                let edge = max(0, 1 - (x / centre) * (x / centre))
                let window = bessel(sharpness * lapel_sqrt(edge)) / bessel(sharpness)
                let turn = 2 * Double.pi * cutOff * x
                return window * (x.magnitude < 1e-9 ? 1 : lapel_sin(turn) / turn)
            }
            let sum = heights.reduce(0, +)
            return heights.map { Float($0 / sum) }
        }
    }

    /// Takes samples of −32768…32767 in and hands out samples of −1…1, in blocks that are valid during the call.
    ///
    /// After n samples, every sample out whose time is before theirs is out: n = rate/10 brings 1,600.
    func take(_ samples: UnsafeBufferPointer<Int16>, out: (UnsafeBufferPointer<Float>) -> Void) {
        let unit: Float = 1 / 32_768
        let new = held.start + (taps - 1)
        var start = 0
        while start < samples.count {
            let count = min(Self.piece, samples.count - start)
            for index in 0..<count { new[index] = Float(samples[start &+ index]) * unit }
            start += count
            if isPlain {
                out(UnsafeBufferPointer(start: new, count: count))
            } else {
                convert(count, out: out)
                held.start.update(from: held.start + count, count: taps - 1)
            }
        }
    }

    /// The samples out that `count` new ones in make possible.
    private func convert(_ count: Int, out: (UnsafeBufferPointer<Float>) -> Void) {
        let (source, filter, block) = (UnsafePointer(held.start), UnsafePointer(filter.start), block.start)
        var (at, fraction) = next
        var filled = 0
        while at < count {
            let phase = phases == parts ? fraction : fraction * phases / parts
            block[filled] = (filter + phase * taps).dot(source + at, taps)
            filled += 1
            at += whole
            fraction += part
            if fraction >= parts {
                fraction -= parts
                at += 1
            }
            // A slower source gives more than it takes.
            if filled == Self.piece {
                out(UnsafeBufferPointer(start: block, count: filled))
                filled = 0
            }
        }
        next = (at - count, fraction)
        if filled > 0 { out(UnsafeBufferPointer(start: block, count: filled)) }
    }
}
