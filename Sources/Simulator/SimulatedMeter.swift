import Glibc
import Hardware

/// Levels and sums of one opening of a simulated microphone, by the definition of `LevelReading`.
struct SimulatedMeter: Sendable {
    private let rate: Int
    private let channels: Int
    private var block: [Int16] = []
    private var index = 0
    /// Of everything so far.
    private(set) var summary = CaptureSummary()

    init(rate: Int, channels: Int) {
        self.rate = rate
        self.channels = channels
    }

    /// Adds whole frames, at most 100 ms. The reading, when a block of 100 ms is full.
    mutating func add(_ samples: [Int16], at now: Duration) -> LevelReading? {
        summary.frames += samples.count / channels
        summary.peak = max(summary.peak, samples.map { Int($0.magnitude) }.max() ?? 0)
        summary.clipped += samples.count(where: Self.isFullScale)
        block += samples
        guard block.count >= rate / 10 * channels else { return nil }
        defer {
            block = []
            index += 1
        }
        return LevelReading(
            index: index, dbfs: level, marks: block.contains(where: Self.isFullScale) ? .clipped : [], at: now
        )
    }

    /// A full-scale sine reads 0; what is constant in a channel is removed.
    private var level: Double {
        let frames = Double(block.count / channels)
        var power = block.reduce(0.0) { $0 + Double($1) * Double($1) }
        for channel in 0..<channels {
            let sum = stride(from: channel, to: block.count, by: channels).reduce(0.0) {
                $0 + Double(block[$1])
            }
            power -= sum * sum / frames
        }
        let full = 32_768.0 * 32_768.0
        let rms = (2 * max(power, 0) / full / Double(block.count)).squareRoot()
        return 20 * log10(max(rms, 1e-6))
    }

    private static func isFullScale(_ sample: Int16) -> Bool { sample == .max || sample == .min }
}
