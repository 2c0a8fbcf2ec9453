import Hardware
import TestSupport
import Testing

@testable import ALSAAudio

private let voice = Tone.sine(300, rate: 48_000, count: 48_000, amplitude: 0.25)

/// The recording's amplitude of the 300 Hz tone after the first 200 ms.
private func heard(_ frames: [(Double, Double)]) throws -> Double {
    let got = try Processed(
        frames.flatMap { [$0.0, $0.1] }, rate: 48_000, channels: 2, sample: .s32, chunks: [480])
    return Tone.amplitude(of: 300, in: got.samples[3_200...], rate: 16_000)
}

private func noise(_ count: Int, amplitude: Double) -> [Double] {
    var random = SeededGenerator(seed: 3)
    return (0..<count).map { _ in Double.random(in: -amplitude...amplitude, using: &random) }
}

@Test func theSlotThatAnI2SMicrophoneFillsIsTakenAtItsFullLevel() throws {
    #expect(abs(decibels(try heard(voice.map { ($0, 0) }) / 0.25)) < 0.1)
    #expect(abs(decibels(try heard(voice.map { (0, $0) }) / 0.25)) < 0.1)
}

@Test func faintNoiseInTheOtherSlotIsLeftOut() throws {
    let floating = noise(voice.count, amplitude: 0.001)
    #expect(abs(decibels(try heard(Array(zip(voice, floating))) / 0.25)) < 0.1)
}

@Test func anOffsetInTheOtherSlotIsNoSignal() throws {
    #expect(abs(decibels(try heard(voice.map { ($0, 0.5) }) / 0.25)) < 0.1)
}

@Test func twoLiveChannelsAreAveraged() throws {
    let quieter = voice.map { $0 / 2 }
    #expect(abs(try heard(Array(zip(voice, quieter))) - 0.1875) < 0.002)
}

@Test func twoSpeakersEachNearOneMicrophoneAreBothHeard() throws {
    let other = Tone.sine(700, rate: 48_000, count: 48_000, amplitude: 0.25)
    let frames = zip(voice, other).enumerated().map { i, pair in
        i / 12_000 % 2 == 0 ? (pair.0, pair.0 / 10) : (pair.1 / 10, pair.1)
    }
    let got = try Processed(
        frames.flatMap { [$0.0, $0.1] }, rate: 48_000, channels: 2, sample: .s32, chunks: [480])
    for (index, frequency) in [300.0, 700, 300, 700].enumerated() {
        let turn = got.samples[(index * 4_000 + 400)..<(index * 4_000 + 3_600)]
        #expect(Tone.amplitude(of: frequency, in: turn, rate: 16_000) > 0.12)
    }
}

@Test func aChannelOfOppositeSignDoesNotCancelTheOther() throws {
    #expect(abs(decibels(try heard(voice.map { ($0, -$0) }) / 0.25)) < 0.1)
}

@Test func silenceBeforeTheSignalDecidesNothing() throws {
    let late = [Double](repeating: 0, count: 24_000) + voice.prefix(24_000)
    let got = try Processed(
        late.flatMap { [$0, 0] }, rate: 48_000, channels: 2, sample: .s32, chunks: [480])
    let onset = got.samples[8_000..<8_800]
    #expect(abs(decibels(Tone.amplitude(of: 300, in: onset, rate: 16_000) / 0.25)) < 0.3)
}

@Test func aStereoRecordingKeepsItsChannelsApart() throws {
    let got = try Processed(voice.flatMap { [$0, -$0 / 2] }, rate: 48_000, channels: 2, sample: .s24packed) {
        $0.rate = 48_000
        $0.channels = 2
    }
    for i in stride(from: 0, to: 9_600, by: 2) {
        #expect(abs(Int(got.samples[i]) + 2 * Int(got.samples[i + 1])) <= 2)
    }
}

@Test func aMonoDeviceFillsBothChannelsOfAStereoRecording() throws {
    let got = try Processed(Tone.sine(300, rate: 16_000, count: 1_600)) { $0.channels = 2 }
    #expect(got.samples.count == 3_200)
    #expect(stride(from: 0, to: 3_200, by: 2).allSatisfy { got.samples[$0] == got.samples[$0 + 1] })
}
