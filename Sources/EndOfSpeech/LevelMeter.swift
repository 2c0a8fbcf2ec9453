import CMath

/// The level of the samples added since the last reset. Sums are whole numbers, so the level does not depend
/// on how the samples were cut into blocks.
package struct LevelMeter: Equatable, Sendable {
    /// Samples added.
    package private(set) var count = 0
    private var sumOfSquares: UInt64 = 0

    package init() {}

    package mutating func add(_ samples: UnsafeBufferPointer<Int16>) {
        var sum: UInt64 = 0
        for sample in samples {
            let magnitude = UInt64(sample.magnitude)
            sum &+= magnitude &* magnitude
        }
        sumOfSquares &+= sum
        count += samples.count
    }

    /// AES17 and IEC 61606: a full-scale sine reads 0 (RMS + 3.01 dB); silence, or no sample at all, −120.
    /// DC counts: whoever does not want it removes it before.
    package var dbfs: Double { lapel_dbfs(Double(sumOfSquares), Double(count)) }

    package mutating func reset() { self = LevelMeter() }
}
