import Hardware
import TestSupport
import Testing
import Threads

@testable import ALSAAudio

struct Recorded: CustomTestStringConvertible {
    let rate: Int
    let channels: Int
    let bits: Int
    var extensible = false
    let format: String
    var testDescription: String { format }
}

/// Through libasound itself: 0.8 s of a tone, then silence.
@Test(arguments: [
    Recorded(rate: 8_000, channels: 1, bits: 16, format: "S16_LE 8000 Hz 1 channel"),
    Recorded(rate: 16_000, channels: 1, bits: 16, extensible: true, format: "S16_LE 16000 Hz 1 channel"),
    Recorded(rate: 22_050, channels: 1, bits: 24, format: "S24_3LE 22050 Hz 1 channel"),
    Recorded(rate: 44_100, channels: 2, bits: 16, format: "S16_LE 44100 Hz 2 channels"),
    Recorded(rate: 48_000, channels: 1, bits: 24, extensible: true, format: "S24_3LE 48000 Hz 1 channel"),
    Recorded(rate: 48_000, channels: 2, bits: 32, format: "S32_LE 48000 Hz 2 channels"),
])
func aCardsOwnFormatIsTakenAndItsTimeAndLevelKept(_ file: Recorded) throws {
    let card = Card(rate: file.rate, channels: file.channels, bits: file.bits, extensible: file.extensible)
    let tone = Tone.sine(440, rate: file.rate, count: file.rate * 8 / 10)
    try card.plays(file.channels == 1 ? tone : doubled(tone))
    let (log, summary) = card.capture(through: 8)
    #expect(summary.format == file.format)
    #expect(summary.overruns == 0)
    let samples = log.samples
    let last = try #require(samples.lastIndex { abs(Int($0)) > 300 })
    #expect(abs(last - 12_800) <= 160)
    #expect(abs(decibels(Tone.amplitude(of: 440, in: samples[1_600..<11_200], rate: 16_000) / 0.5)) < 0.3)
}

@Test func aFileThatWasNotFinishedIsHeardToItsEnd() throws {
    let card = Card()
    let bytes = card.header(dataBytes: 0xFFFF_FFFF) + ramp(3_200).flatMap { little($0, 2) }
    try card.folder.write("heard.wav", bytes)
    let (log, _) = card.capture(through: 1)
    #expect(log.samples.prefix(3_200).map(Int.init) == ramp(3_200))
}

@Test func withAnOriginTheFilePlaysWhetherOrNotAnybodyListens() throws {
    let origin = MonotonicClock.now - .seconds(1)
    let nanoseconds =
        origin.components.seconds * 1_000_000_000 + origin.components.attoseconds / 1_000_000_000
    let card = Card(extra: "origin \(nanoseconds)")
    let heard = (0..<320_000).map { $0 / 10 }
    try card.plays(integers: heard)
    let (log, _) = card.capture(through: 0)
    let stamps = log.events.compactMap { if case .done(_, let at) = $0 { at } else { nil } }
    // The card was started between these two stamps.
    let earliest = (stamps[1] - origin).frames(at: 16_000) / 10
    let latest = (stamps[2] - origin).frames(at: 16_000) / 10
    #expect((earliest - 1...latest + 1).contains(Int(log.samples[0])))
}

@Test func aStallStopsTheCardUntilTheWordIsGone() throws {
    let card = Card()
    try card.plays(integers: ramp(32_000))
    let log = MicrophoneLog()
    let microphone = ALSAMicrophone(settings: card.settings(), sink: log) { log.report($0) }
    begin(microphone, log)
    log.untilReading(0)
    try card.control("stall")
    try card.control("")
    log.untilReading(9)
    microphone.perform(.close)
    #expect((log.untilClosed()?.frames ?? 0) >= 16_000)
    #expect(log.faults == [])
}

@Test(arguments: [(24_000, 4_800), (4_096, 2_048), (600, 480)])
func theReaderIsWokenLongBeforeTheBufferIsFull(_ buffer: Int, _ frames: Int) {
    let format = DeviceFormat(sample: .s32, rate: 48_000, channels: 2, period: 480, buffer: buffer)
    #expect(format.wakeUp == frames)
}
