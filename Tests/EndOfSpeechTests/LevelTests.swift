import EndOfSpeech
import Foundation
import Testing

@Suite struct LevelTests {
    @Test(arguments: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000])
    func fullScaleSineReadsZero(rate: Int) {
        let levels = observed(sine(rate: rate, amplitude: 32_767, seconds: 1), rate: rate).map(\.dbfs)
        #expect(levels.count == 10)
        #expect(levels.allSatisfy { abs($0) < 0.01 })
    }

    @Test(arguments: [(16_384.0, -6.02), (3276.8, -20), (32.768, -60)])
    func sineReadsItsAmplitude(amplitude: Double, dbfs: Double) {
        let levels = observed(sine(rate: 16_000, amplitude: amplitude, seconds: 0.5), rate: 16_000).map(
            \.dbfs)
        #expect(levels.allSatisfy { abs($0 - dbfs) < 0.05 })
    }

    @Test func silenceReadsMinus120() {
        #expect(observed([Int16](repeating: 0, count: 1600), rate: 16_000).map(\.dbfs) == [-120])
        #expect(LevelMeter().dbfs == -120)
    }

    @Test func squareWaveReadsThreeDecibelsMore() {
        let levels = observed([Int16](repeating: -32_768, count: 1600), rate: 16_000).map(\.dbfs)
        #expect(abs(levels[0] - 3.0103) < 1e-4)
    }

    @Test func constantCounts() {
        let levels = observed([Int16](repeating: 1000, count: 1600), rate: 16_000).map(\.dbfs)
        #expect(abs(levels[0] - 20 * log10(sqrt(2) * 1000 / 32_768)) < 1e-9)
    }

    @Test func readingsAreStampedAtTheirEnd() {
        let stamps = observed([Int16](repeating: 1, count: 16_000), rate: 16_000).map(\.seconds)
        #expect(stamps == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
    }

    @Test(arguments: [1, 7, 160, 1103, 1600, 4096])
    func blocksOfAnyLengthGiveTheSameReadings(length: Int) {
        let samples = sine(rate: 11_025, amplitude: 9000, seconds: 2)
        #expect(observed(samples, rate: 11_025, block: length) == observed(samples, rate: 11_025))
    }

    @Test func incompleteReadingIsNotObserved() {
        #expect(observed([Int16](repeating: 1, count: 1599), rate: 16_000).isEmpty)
        #expect(observed([Int16](repeating: 1, count: 3199), rate: 16_000).count == 1)
    }

    @Test func rateThatTenDoesNotDivideKeepsTime() {
        #expect(observed([Int16](repeating: 1, count: 11_025 * 60), rate: 11_025).count == 600)
        #expect(observed([Int16](repeating: 1, count: 19 * 60), rate: 19).count == 600)
    }

    private func sine(rate: Int, amplitude: Double, seconds: Double) -> [Int16] {
        (0..<Int(Double(rate) * seconds)).map { k in
            Int16((amplitude * sin(2 * .pi * 440 * Double(k) / Double(rate))).rounded())
        }
    }

    private func observed(_ samples: [Int16], rate: Int, block: Int? = nil) -> [Observation] {
        var frontEnd: any FrontEnd = LevelFrontEnd(rate: rate)
        var observations: [Observation] = []
        var rest = samples[...]
        while !rest.isEmpty {
            let part = rest.prefix(block ?? samples.count)
            rest = rest.dropFirst(part.count)
            part.withUnsafeBufferPointer { samples in
                frontEnd.take(samples) { observations.append($0) }
            }
        }
        return observations
    }
}
