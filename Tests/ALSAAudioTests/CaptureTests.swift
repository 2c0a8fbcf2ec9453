import Hardware
import TestSupport
import Testing

@testable import ALSAAudio

/// A ramp that a wrong, doubled or missing frame shows in.
func ramp(_ count: Int) -> [Int] { (0..<count).map { $0 % 30_000 - 15_000 } }

@Test func samplesOfA16kHzMonoFileArriveBitForBit() throws {
    let card = Card()
    try card.plays(integers: ramp(16_000))
    let (log, summary) = card.capture(through: 4)
    #expect(summary.format == "S16_LE 16000 Hz 1 channel")
    #expect(log.samples.count >= 8_000)
    #expect(log.samples.map(Int.init) == Array(ramp(16_000).prefix(log.samples.count)))
}

@Test func everyOpeningHearsTheFileFromItsStart() throws {
    let card = Card()
    try card.plays(integers: ramp(16_000))
    let log = MicrophoneLog()
    let microphone = ALSAMicrophone(settings: card.settings(), sink: log) { log.report($0) }
    begin(microphone, log)
    log.untilReading(0)
    microphone.perform(.close)
    let first = try #require(log.untilClosed())
    begin(microphone, log)
    log.untilReading(0)
    microphone.perform(.close)
    log.untilClosed()
    #expect(log.samples.dropFirst(first.frames).prefix(100).map(Int.init) == Array(ramp(100)))
}

@Suite struct ContractOfTheALSAMicrophone {
    let card = Card()
    let contract: MicrophoneContract

    init() throws {
        try card.plays(integers: ramp(48_000))
        let settings = card.settings()
        contract = MicrophoneContract(rate: 16_000) {
            ALSAMicrophone(settings: settings, sink: $0, report: $1)
        }
    }

    @Test func stepsAreAnsweredInOrder() { #expect(contract.stepsAreAnsweredInOrder() == []) }
    @Test func nothingIsHeardBeforeRead() { #expect(contract.nothingIsHeardBeforeRead() == []) }
    @Test func closeIsLegalInEveryState() { #expect(contract.closeIsLegalInEveryState() == []) }
    @Test func theSinkIsAheadOfTheReadings() { #expect(contract.theSinkIsAheadOfTheReadings() == []) }
    @Test func itOpensAgain() { #expect(contract.itOpensAgain() == []) }
    @Test func stampsNeverGoBack() { #expect(contract.stampsNeverGoBack() == []) }
}
