import Dispatch
import Hardware
import Synchronization
import TestSupport
import Testing

@testable import ALSAAudio

/// A sink that holds the capture thread up, once, until it is released.
private final class SlowSink: AudioSink {
    let log = MicrophoneLog()
    let released = DispatchSemaphore(value: 0)
    private let pending = Atomic(true)

    func take(_ samples: UnsafeBufferPointer<Int16>) {
        log.take(samples)
        if log.samples.count >= 2_400, pending.exchange(false, ordering: .relaxed) { released.wait() }
    }
}

/// Passes the time by listening to another card for `readings` tenths of a second.
private func listenElsewhere(_ readings: Int) throws {
    let clock = Card()
    try clock.plays(integers: ramp(160))
    _ = clock.capture(through: readings - 1)
}

@Test func whatAnOverrunLostIsSilenceAndTimeStaysTrue() throws {
    let card = Card()
    let heard = (0..<48_000).map { 1 + $0 % 30_000 }
    try card.plays(integers: heard)
    let sink = SlowSink()
    let microphone = ALSAMicrophone(settings: card.settings(), sink: sink) { sink.log.report($0) }
    begin(microphone, sink.log)
    sink.log.untilReading(0)
    try listenElsewhere(7)
    sink.released.signal()
    sink.log.until { if case .reading(let reading) = $0 { reading.marks.contains(.inserted) } else { false } }
    sink.log.until { if case .reading(let reading) = $0 { reading.marks == [] } else { false } }
    microphone.perform(.close)
    let summary = try #require(sink.log.untilClosed())
    let samples = sink.log.samples
    #expect(summary.overruns == 1)
    #expect(summary.frames == samples.count)
    #expect(summary.inserted >= 8_000)
    let gap = samples.indices.filter { samples[$0] == 0 }
    #expect(gap.count == summary.inserted)
    let first = try #require(gap.first)
    let after = try #require(gap.last) + 1
    #expect(samples[..<first].map(Int.init) == Array(heard[..<first]))
    // The clock of the machine tells the gap, read a moment after the card's: a few frames either way.
    #expect(abs(Int(samples[after]) - heard[after]) < 160)
}

@Test func aReaderThatComesLateHearsSilenceForWhatItMissed() throws {
    let card = Card()
    try card.plays(integers: (0..<48_000).map { 1 + $0 % 30_000 })
    let log = MicrophoneLog()
    let microphone = ALSAMicrophone(settings: card.settings(), sink: log) { log.report($0) }
    for step in [.open, .configure, .start] as [MicrophoneStep] {
        microphone.perform(step)
        log.isDone(step)
    }
    try listenElsewhere(7)
    microphone.perform(.read)
    log.until { if case .reading(let reading) = $0 { reading.marks == [] } else { false } }
    microphone.perform(.close)
    let summary = try #require(log.untilClosed())
    #expect(summary.overruns == 1)
    let samples = log.samples
    let after = try #require(samples.firstIndex { $0 != 0 })
    #expect(after >= 11_000)
    #expect(abs(Int(samples[after]) - 1 - after % 30_000) < 160)
}

/// Timelines of reads, in frames at 1,000 frames per second: what an overrun lost.
@Test func theLossIsCountedFromTheLastLook() {
    var cursor = ReadCursor(startedAt: .zero)
    let first = cursor.took(10, of: 10, at: .milliseconds(10))
    // 50 of 80 frames were read at 90 ms; the device began anew at 700 ms.
    let second = cursor.took(50, of: 80, at: .milliseconds(90))
    let lost = cursor.lose(until: .milliseconds(700), rate: 1_000)
    #expect(first && !second)
    #expect(lost == 90 - 60 + 610)
    #expect(cursor.taken == 700)
}

@Test func aDeviceWhoseClockIsFastLosesNothingNegative() {
    var cursor = ReadCursor(startedAt: .zero)
    _ = cursor.took(10_050, of: 10_050, at: .seconds(10))
    let lost = cursor.lose(until: .seconds(10), rate: 1_000)
    #expect(lost == 0)
    #expect(cursor.taken == 10_050)
}
