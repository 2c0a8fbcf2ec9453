import Foundation
import Hardware
import Synchronization
import SystemFiles
import TestSupport
import Testing

@testable import ALSAAudio

/// Descriptors of this process that lead into a folder: the tests beside this one have their own.
private func descriptors(into folder: TemporaryFolder) -> Int {
    folderEntries("/proc/self/fd").filter {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?
            .hasPrefix(folder.path) ?? false
    }.count
}

@Test func fiftyOpeningsLeaveNoDescriptorBehind() throws {
    let card = Card()
    try card.plays(integers: ramp(1_600))
    let log = MicrophoneLog()
    let microphone = ALSAMicrophone(settings: card.settings(), sink: log) { log.report($0) }
    for _ in 0..<50 {
        begin(microphone, log)
        log.until { if case .firstFrames = $0 { true } else { false } }
        #expect(descriptors(into: card.folder) == 1)
        microphone.perform(.close)
        log.untilClosed()
        #expect(descriptors(into: card.folder) == 0)
    }
}

@Test func afterAFailedStepNothingIsOpen() throws {
    let card = Card(channels: 3)
    try card.plays(integers: ramp(1_600))
    let log = MicrophoneLog()
    let microphone = ALSAMicrophone(settings: card.settings(), sink: log) { log.report($0) }
    begin(microphone, log)
    #expect(descriptors(into: card.folder) == 0)
    microphone.shutDown()
}

@Test func shuttingDownClosesWhatIsRead() throws {
    let card = Card()
    try card.plays(integers: ramp(16_000))
    let log = MicrophoneLog()
    let microphone = ALSAMicrophone(settings: card.settings(), sink: log) { log.report($0) }
    begin(microphone, log)
    log.untilReading(0)
    microphone.shutDown()
    #expect(descriptors(into: card.folder) == 0)
    #expect((log.untilClosed()?.frames ?? 0) >= 1_600)
}

/// Notes how long the first chunk of each opening is.
private final class FirstChunks: AudioSink {
    let lengths = Mutex<[Int]>([])
    let begins = Atomic(true)

    func take(_ samples: UnsafeBufferPointer<Int16>) {
        if begins.exchange(false, ordering: .relaxed) { lengths.withLock { $0.append(samples.count) } }
    }
}

@Test func everyOpeningDeliversItsFirstPeriodAtOnce() throws {
    let card = Card()
    try card.plays(integers: ramp(48_000))
    let log = MicrophoneLog()
    let sink = FirstChunks()
    let microphone = ALSAMicrophone(settings: card.settings(), sink: sink) {
        log.report($0)
    }
    for _ in 0..<6 {
        sink.begins.store(true, ordering: .relaxed)
        begin(microphone, log)
        log.untilReading(0)
        microphone.perform(.close)
        log.untilClosed()
    }
    microphone.shutDown()
    // Some of them: a busy machine may wake any single one late.
    let lengths = sink.lengths.withLock { $0 }
    #expect(lengths.contains { $0 < 1_000 }, "\(lengths)")
}

@Test func whatComesBeforeAnOpeningIsOverWhenTheDeviceIsOpened() throws {
    let card = Card()
    try card.plays(integers: ramp(1_600))
    let log = MicrophoneLog()
    let open = Mutex<[Int]>([])
    let microphone = ALSAMicrophone(
        settings: card.settings(), sink: log,
        beforeOpening: { open.withLock { $0.append(descriptors(into: card.folder)) } },
        report: { log.report($0) })
    for _ in 0..<2 {
        begin(microphone, log)
        microphone.perform(.close)
        log.untilClosed()
    }
    #expect(open.withLock { $0 } == [0, 0], "once for each opening, before its device")
    microphone.shutDown()
}
