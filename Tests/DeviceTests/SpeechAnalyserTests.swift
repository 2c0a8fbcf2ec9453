import AllocationCount
import EndOfSpeech
import Hardware
import Simulator
import Synchronization
import TestSupport
import Testing

@testable import Device
@testable import DeviceMachine

@Suite struct SpeechAnalyserTests {
    private static let opening: [MicrophoneStep] = [.open, .configure, .start]

    private final class Events: Sendable {
        let all = Mutex<[DeviceEvent]>([])
        var readings: [(LevelReading, SpeechFrames)] {
            all.withLock { $0 }.compactMap {
                if case .heard(let reading, let frames) = $0 { (reading, frames) } else { nil }
            }
        }
    }

    private static func noise(_ count: Int, seed: UInt64 = 1) -> [Int16] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in Int16.random(in: -3000...3000, using: &random) }
    }

    private func listen(
        to samples: [Int16], rate: Int = 16_000, channels: Int = 1, openings: Int = 1, for time: Duration
    ) -> (Events, MicrophoneLog) {
        let (events, log) = (Events(), MicrophoneLog())
        let analyser = SpeechAnalyser(rate: rate, channels: channels, next: log)
        let microphone = SimulatedMicrophone(samples: samples, rate: rate, channels: channels, sink: analyser)
        { event in
            events.all.withLock { $0.append(analyser.heard(event)) }
        }
        for _ in 0..<openings {
            for step in Self.opening { microphone.perform(step) }
            microphone.perform(.read)
            microphone.advance(by: time)
            microphone.perform(.close)
        }
        return (events, log)
    }

    @Test func everyReadingComesWithWhatWasHeardInIt() {
        let samples = Self.noise(32_000)
        let (events, log) = listen(to: samples, for: .seconds(2))
        #expect(log.samples == samples)  // the recorder gets every sample, unchanged
        var expected: [SpeechFrames?] = []
        samples.withUnsafeBufferPointer { LapelFrontEnd().take($0) { expected.append($0.frames) } }
        #expect(events.readings.map(\.0.index) == Array(0..<20))
        #expect(events.readings.map(\.1) == expected)
    }

    @Test func eachOpeningBeginsAnew() {
        let (events, _) = listen(to: Self.noise(32_000), openings: 3, for: .milliseconds(1230))
        let heard = events.readings
        #expect(heard.count == 36)
        #expect(heard[0..<12].map(\.1) == heard[12..<24].map(\.1))
        #expect(heard[12..<24].map(\.1) == heard[24..<36].map(\.1))
    }

    @Test(arguments: [(44_100, 1), (48_000, 2), (16_000, 2)])
    func everyFormOfRecordingIsHeard(rate: Int, channels: Int) {
        let (events, _) = listen(
            to: Self.noise(2 * rate * channels), rate: rate, channels: channels, for: .seconds(2))
        #expect(events.readings.count == 20)
        #expect(events.readings.allSatisfy { $0.1.floor > -60 })
    }

    @Test func twoChannelsAreHeardAsTheirMean() {
        let mono = Self.noise(16_000)
        let stereo = mono.flatMap { [$0, $0] }
        let (one, _) = listen(to: mono, for: .seconds(1))
        let (two, _) = listen(to: stereo, channels: 2, for: .seconds(1))
        #expect(one.readings.map(\.1) == two.readings.map(\.1))
    }

    @Test func hearingAllocatesNothing() {
        final class Nowhere: AudioSink { func take(_ samples: UnsafeBufferPointer<Int16>) {} }
        let analyser = SpeechAnalyser(rate: 48_000, channels: 2, next: Nowhere())
        let samples = Self.noise(19_200)  // 200 ms, the most that comes at once
        samples.withUnsafeBufferPointer(analyser.take)
        let before = lapel_allocations_of_this_thread()
        for index in 0..<20 {
            samples.withUnsafeBufferPointer(analyser.take)
            _ = analyser.heard(.reading(LevelReading(index: 2 * index, dbfs: -20, at: .zero)))
        }
        #expect(lapel_allocations_of_this_thread() == before)
    }
}
