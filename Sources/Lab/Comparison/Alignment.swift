/// Finds where a recording begins in a file: roughly by loudness, then by the samples.
enum Alignment {
    /// Samples at 16 kHz from the file's begin to the recording's; nil when either is silent.
    static func lag(of part: ComparedSound, in whole: ComparedSound) -> Int? {
        let hop = LogSpectrogram.hop
        let rough = Correlation.bestLag(
            of: envelope(part.samples), in: envelope(whole.samples), lags: -Int.max / 2...Int.max / 2)
        guard let rough = rough.map({ $0 * hop }) else { return nil }
        let loud = loudest(part.samples)
        // The same stretch of the file, with 50 ms more on both sides.
        let margin = ComparedSound.rate / 20
        let begin = loud.lowerBound + rough - margin
        let stretch = (begin..<loud.upperBound + rough + margin).map { at in
            whole.samples.indices.contains(at) ? whole.samples[at] : 0
        }
        let fine = Correlation.bestLag(of: Array(part.samples[loud]), in: stretch, lags: 0...2 * margin)
        return rough + (fine.map { $0 - margin } ?? 0)
    }

    /// Loudness every 10 ms without its mean, so that a constant noise weighs nothing.
    private static func envelope(_ samples: [Float]) -> [Float] {
        let hop = LogSpectrogram.hop
        let levels = stride(from: 0, to: samples.count, by: hop).map { start in
            samples[start..<min(start + hop, samples.count)].reduce(Float(0)) { $0 + $1 * $1 }.squareRoot()
        }
        let mean = levels.reduce(0, +) / Float(max(levels.count, 1))
        return levels.map { $0 - mean }
    }

    /// The 1.9 s with the most energy, or all of it: with its margins it fills a transform of 4 s.
    private static func loudest(_ samples: [Float]) -> Range<Int> {
        let length = min(samples.count, ComparedSound.rate * 19 / 10)
        let step = ComparedSound.rate / 4
        var best: (energy: Float, start: Int) = (-1, 0)
        for start in stride(from: 0, through: samples.count - length, by: step) {
            let energy = samples[start..<start + length].reduce(Float(0)) { $0 + $1 * $1 }
            if energy > best.energy { best = (energy, start) }
        }
        return best.start..<best.start + length
    }
}
