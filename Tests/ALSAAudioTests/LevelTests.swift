import Foundation
import Hardware
import Testing

@testable import ALSAAudio

@Test(arguments: [0.0, -10, -45, -80])
func aSinesLevelIsItsPeakInDecibelsOfFullScale(_ level: Double) throws {
    let tone = Tone.sine(1_000, rate: 16_000, count: 8_000, amplitude: pow(10, level / 20) * 32_767 / 32_768)
    let got = try Processed(tone)
    #expect(got.readings.count == 5)
    for reading in got.readings { #expect(abs(reading.dbfs - level) < (level < -60 ? 1 : 0.05)) }
}

@Test func readingsAreNumberedFromZeroAndStamped() throws {
    let got = try Processed(Tone.sine(1_000, rate: 16_000, count: 4_800))
    #expect(got.readings.map(\.index) == [0, 1, 2])
    #expect(got.readings.map(\.at) == [.milliseconds(100), .milliseconds(200), .milliseconds(300)])
}

@Test func digitalSilenceReadsMinus120() throws {
    let got = try Processed([Double](repeating: 0, count: 3_200))
    #expect(got.readings.map(\.dbfs) == [-120, -120])
}

@Test func withoutAHighPassTheOffsetIsLeftInTheSamplesAndOutOfTheLevel() throws {
    let tone = Tone.sine(1_000, rate: 16_000, count: 3_200, amplitude: 0.01).map { $0 + 0.3 }
    let got = try Processed(tone)
    #expect(got.samples.allSatisfy { $0 > 9_000 })
    for reading in got.readings { #expect(abs(reading.dbfs - -40) < 0.1) }
}

@Test func aStereoRecordingsLevelIsThePowerOfBothChannels() throws {
    let tone = Tone.sine(1_000, rate: 16_000, count: 3_200, amplitude: 1)
    let got = try Processed(tone.flatMap { [$0, 0] }, channels: 2) { $0.channels = 2 }
    for reading in got.readings { #expect(abs(reading.dbfs - -3.01) < 0.05) }
}
