import Hardware
import TestSupport
import Testing

@testable import ALSAAudio

/// The answer to opening and configuring a card.
private func failure(of settings: CaptureSettings) -> MicrophoneFault? {
    let log = MicrophoneLog()
    let microphone = ALSAMicrophone(settings: settings, sink: log) { log.report($0) }
    begin(microphone, log)
    guard case .failed(_, let fault, _)? = log.events.last else { return nil }
    return fault
}

@Test func aNameThatNobodyKnowsIsMissing() {
    let settings = CaptureSettings(device: "no-such-microphone")
    #expect(failure(of: settings) == .missing(device: "no-such-microphone"))
}

@Test func aCardThatIsNotThereIsMissing() {
    #expect(failure(of: CaptureSettings(device: "hw:31")) == .missing(device: "hw:31"))
}

@Test func aMissingFileIsMissing() {
    #expect(failure(of: Card().settings()) == .missing(device: "mic"))
}

@Test(arguments: ["", "RIFF", "not audio, but long enough to have a header of its own, one would think"])
func aFileThatIsNoWAVIsRefused(_ text: String) throws {
    let card = Card()
    try card.folder.write("heard.wav", Array(text.utf8))
    let fault = MicrophoneFault.failed(device: "mic", operation: "be opened", reason: "Invalid argument")
    #expect(failure(of: card.settings()) == fault)
}

@Test func anUnpluggedCardIsMissing() throws {
    let card = Card()
    try card.plays(integers: ramp(1_600))
    try card.control("unplug")
    #expect(failure(of: card.settings()) == .missing(device: "mic"))
}

@Test func aCardOfThreeChannelsIsUnsupported() throws {
    let card = Card(channels: 3)
    try card.plays(integers: ramp(4_800))
    #expect(failure(of: card.settings()) == .unsupported(device: "mic", offered: "S16_LE; 3–3 channels"))
}

@Test func unpluggingEndsTheReadingAndKeepsWhatWasHeard() throws {
    let card = Card()
    try card.plays(integers: ramp(32_000))
    let log = MicrophoneLog()
    let microphone = ALSAMicrophone(settings: card.settings(), sink: log) { log.report($0) }
    begin(microphone, log)
    log.untilReading(1)
    try card.control("unplug")
    log.until { if case .fault = $0 { true } else { false } }
    microphone.perform(.close)
    let summary = try #require(log.untilClosed())
    #expect(log.faults == [.unplugged(device: "mic")])
    #expect(summary.frames >= 3_200)
    #expect(log.samples.map(Int.init) == Array(ramp(32_000).prefix(summary.frames)))
}

@Test func aCardUnpluggedAfterConfiguringDoesNotStart() throws {
    let card = Card()
    try card.plays(integers: ramp(1_600))
    let log = MicrophoneLog()
    let microphone = ALSAMicrophone(settings: card.settings(), sink: log) { log.report($0) }
    microphone.perform(.open)
    log.isDone(.open)
    microphone.perform(.configure)
    log.isDone(.configure)
    try card.control("unplug")
    microphone.perform(.start)
    guard case .failed(.start, .unplugged(device: "mic"), _)? = log.next() else {
        Issue.record("\(log.events)")
        return
    }
}

@Test func aCardThatGivesNoFramesForTwoSecondsHasFailed() throws {
    let card = Card()
    try card.plays(integers: ramp(32_000))
    try card.control("stall")
    let log = MicrophoneLog()
    let microphone = ALSAMicrophone(settings: card.settings(), sink: log) {
        log.report($0)
    }
    begin(microphone, log)
    log.until { if case .fault = $0 { true } else { false } }
    microphone.perform(.close)
    let summary = try #require(log.untilClosed())
    #expect(summary.frames == 0)
    #expect(
        log.faults == [.failed(device: "mic", operation: "be recorded from", reason: "no frames for 2 s")])
}

@Test func aMicrophoneWithoutASignalIsReportedOnceAndGoesOn() throws {
    let card = Card()
    try card.plays(integers: [Int](repeating: 5, count: 48_000))
    let (log, summary) = card.capture(through: 11)
    #expect(log.faults == [.noSignal(device: "mic")])
    #expect(summary.frames >= 19_200)
}

@Test func theEndOfTheFileIsSilenceAndNoFault() throws {
    let card = Card()
    try card.plays(integers: ramp(800).map { $0 + 1 })
    let (log, _) = card.capture(through: 12)
    #expect(log.faults == [])
    #expect(log.samples.dropFirst(800).allSatisfy { $0 == 0 })
    #expect(log.readings[1].dbfs == -120)
}

@Test(arguments: [MicrophoneStep.configure, .start])
func aStepOutOfOrderIsRefused(_ step: MicrophoneStep) throws {
    let log = MicrophoneLog()
    let microphone = ALSAMicrophone(settings: Card().settings(), sink: log) { log.report($0) }
    microphone.perform(step)
    #expect(!log.isDone(step))
    microphone.perform(.close)
    #expect(log.untilClosed() == CaptureSummary())
}
