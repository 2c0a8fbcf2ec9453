import Hardware
import TestSupport
import Testing

@testable import ALSAAudio

struct Source: CustomTestStringConvertible {
    let rate: Int
    let channels: Int
    let sample: SampleFormat
    var testDescription: String { "\(sample.name) \(rate) Hz, \(channels)" }

    static let all = [8_000, 16_000, 22_050, 44_100, 48_000].flatMap { rate in
        [1, 2].flatMap { channels in
            SampleFormat.allCases.map { Source(rate: rate, channels: channels, sample: $0) }
        }
    }
}

func doubled(_ samples: [Double]) -> [Double] { samples.flatMap { [$0, $0] } }

@Test(arguments: Source.all)
func aSineKeepsLevelFrequencyAndLength(_ source: Source) throws {
    let tone = Tone.sine(440, rate: source.rate, count: source.rate)
    let heard = source.channels == 1 ? tone : doubled(tone)
    let got = try Processed(
        heard, rate: source.rate, channels: source.channels, sample: source.sample, chunks: [source.rate / 20]
    )
    #expect(got.samples.count == 16_000)
    let middle = got.samples[1_600..<14_400]
    #expect(abs(decibels(Tone.amplitude(of: 440, in: middle, rate: 16_000) / 0.5)) < 0.1)
    #expect(abs(decibels(Tone.rms(middle) / (0.5 / 2.0.squareRoot()))) < 0.1, "and nothing beside it")
}

@Test(arguments: [1, 2, 3])
func theSizeOfTheChunksDoesNotMatter(seed: UInt64) throws {
    let tone = Tone.sine(1_000, rate: 44_100, count: 30_000)
    let one = try Processed(tone, rate: 44_100, chunks: [441]) { $0.highpass = 70 }
    var random = SeededGenerator(seed: seed)
    // The first chunk seeds the DC: a period at least.
    let sizes = (0..<50).map { _ in Int.random(in: 441...4_410, using: &random) }
    let other = try Processed(tone, rate: 44_100, chunks: sizes) { $0.highpass = 70 }
    #expect(one.samples == other.samples)
}

@Test func theFirstSampleOutIsTheFirstSampleIn() throws {
    var click = [Double](repeating: 0, count: 4_800)
    click[480] = 0.9
    let got = try Processed(click, rate: 48_000)
    #expect(got.samples.indices.max { abs(Int(got.samples[$0])) < abs(Int(got.samples[$1])) } == 160)
}

@Test func aToneAboveTheRecordingsBandLeavesNoAlias() throws {
    let tone = Tone.sine(12_000, rate: 48_000, count: 48_000, amplitude: 1)
    let got = try Processed(tone, rate: 48_000)
    #expect(decibels(Tone.rms(got.samples[800..<15_200])) < -90)
}

@Test func with16BitsAndNothingToDoSamplesPassUnchanged() throws {
    var random = SeededGenerator(seed: 7)
    let heard = (0..<8_000).map { _ in Int16.random(in: .min ... .max, using: &random) }
    let got = try Processed(heard.map { Double($0) / 32_768 })
    #expect(got.samples == heard)
}

@Test func anOffsetIsTakenOutFromTheFirstSampleOn() throws {
    let heard = Tone.sine(500, rate: 48_000, count: 24_000, amplitude: 0.1).map { $0 + 0.4 }
    let got = try Processed(heard, rate: 48_000, sample: .s32) { $0.highpass = 70 }
    #expect(got.summary.peak < Int(0.13 * 32_768), "no thump")
    let mean = got.samples.reduce(0.0) { $0 + Double($1) } / Double(got.samples.count)
    #expect(abs(mean) < 5)
    #expect(abs(decibels(Tone.amplitude(of: 500, in: got.samples[1_600...], rate: 16_000) / 0.1)) < 0.3)
}

@Test(arguments: [(10.0, -30.0), (70, -3.01), (700, 0)])
func theHighPassIsAButterworthOfSecondOrder(_ frequency: Double, _ gain: Double) throws {
    let tone = Tone.sine(frequency, rate: 16_000, count: 32_000)
    let got = try Processed(tone) { $0.highpass = 70 }
    let found = decibels(Tone.amplitude(of: frequency, in: got.samples[16_000...], rate: 16_000) / 0.5)
    #expect(gain == -30 ? found < -30 : abs(found - gain) < 0.1)
}

@Test func gainIsInDecibels() throws {
    let tone = Tone.sine(440, rate: 16_000, count: 16_000, amplitude: 0.05)
    let got = try Processed(tone) { $0.gain = 20 }
    #expect(abs(Tone.amplitude(of: 440, in: got.samples, rate: 16_000) - 0.5) < 0.001)
    #expect(got.summary.clipped == 0)
}

@Test func whatGainDrivesBeyondFullScaleIsClippedAndCounted() throws {
    var heard = [Double](repeating: 0.01, count: 1_600)
    for i in 200..<300 { heard[i] = i % 2 == 0 ? 0.5 : -0.5 }
    let got = try Processed(heard) { $0.gain = 20 }
    #expect(got.summary.clipped == 100)
    #expect(got.summary.peak == 32_768)
    #expect(got.samples[200] == .max && got.samples[201] == .min)
    #expect(got.readings[0].marks == .clipped)
}

@Test func fullScaleAtTheDeviceIsCountedThoughTheHighPassMovesIt() throws {
    var heard = Tone.sine(440, rate: 16_000, count: 3_200, amplitude: 0.3)
    for i in 800..<850 { heard[i] = 1 }
    let got = try Processed(heard) { $0.highpass = 70 }
    #expect(got.summary.clipped == 50)
}

@Test func settlingIsMutedNotCut() throws {
    let tone = Tone.sine(440, rate: 16_000, count: 8_000)
    let whole = try Processed(tone)
    let got = try Processed(tone) { $0.settle = .milliseconds(40) }
    #expect(got.samples.prefix(640).allSatisfy { $0 == 0 })
    #expect(got.samples.dropFirst(640) == whole.samples.dropFirst(640))
    #expect(got.readings.map(\.marks) == [.muted, [], [], [], []])
}

@Test func anOverrunIsSilenceOfTheSameLength() throws {
    let tone = Tone.sine(440, rate: 48_000, count: 24_000)
    let got = try Processed(tone, rate: 48_000, lost: (after: 9_600, count: 6_000))
    #expect(got.samples.count == 10_000)
    #expect(got.samples[3_250..<5_150].allSatisfy { $0 == 0 })
    #expect(got.summary.overruns == 1)
    #expect(abs(got.summary.inserted - 2_000) <= 1)
    #expect(got.readings.map { $0.marks == .inserted } == [false, false, true, true, false, false])
}

@Test func aDeviceThatGivesNothingForASecondIsNoticedOnce() throws {
    for level in [0, 0.25] {
        let got = try Processed([Double](repeating: level, count: 40_000))
        #expect(got.alarms == 1)
    }
}

@Test func aSignalThatDiesIsSilence() throws {
    let got = try Processed([0.1, 0.2] + [Double](repeating: 0.1, count: 40_000))
    #expect(got.alarms == 0)
}
