import Hardware
import Simulator
import TestSupport
import Testing

@Suite struct SimulatedMicrophoneTests {
    private let log = MicrophoneLog()
    private static let opening: [MicrophoneStep] = [.open, .configure, .start]
    private static let ramp = (0..<32_000).map { Int16($0 % 20_000) }

    private func make(
        _ samples: [Int16] = ramp, channels: Int = 1, script: [SimulatedMicrophone.Misfortune?] = []
    ) -> SimulatedMicrophone {
        SimulatedMicrophone(
            samples: samples, channels: channels, script: script, start: .seconds(5), sink: log,
            report: log.report)
    }

    private func begin(_ microphone: SimulatedMicrophone) {
        for step in Self.opening { microphone.perform(step) }
        microphone.perform(.read)
    }

    @Test func itKeepsTheContractOfEveryMicrophone() {
        let contract = MicrophoneContract(rate: 16_000) { sink, report in
            SimulatedMicrophone(samples: Self.ramp, pace: .instant, sink: sink, report: report)
        }
        #expect(contract.stepsAreAnsweredInOrder() == [])
        #expect(contract.nothingIsHeardBeforeRead() == [])
        #expect(contract.closeIsLegalInEveryState() == [])
        #expect(contract.theSinkIsAheadOfTheReadings() == [])
        #expect(contract.itOpensAgain() == [])
        #expect(contract.stampsNeverGoBack() == [])
    }

    @Test func framesComeAsTimePassesAndNoSooner() {
        let microphone = make()
        begin(microphone)
        #expect(log.samples.isEmpty)
        microphone.advance(by: .milliseconds(10))
        #expect(log.samples == Array(Self.ramp.prefix(160)))
        microphone.advance(by: .milliseconds(90))
        #expect(log.samples == Array(Self.ramp.prefix(1600)))
        #expect(log.readings.map(\.at) == [.milliseconds(5100)])
        #expect(log.events.contains(.firstFrames(at: .milliseconds(5010))))
    }

    @Test func timeWithoutReadingGivesNoFrames() {
        let microphone = make()
        for step in Self.opening { microphone.perform(step) }
        microphone.advance(by: .seconds(3))
        microphone.perform(.close)
        microphone.advance(by: .seconds(3))
        #expect(log.samples.isEmpty)
        #expect(microphone.record.frames == 0 && microphone.record.outOfOrder == [])
        #expect(microphone.now == .seconds(11))
    }

    @Test func behindTheLastSampleComesSilence() {
        let microphone = make([5, 6, 7])
        begin(microphone)
        microphone.advance(by: .milliseconds(20))
        #expect(log.samples == [5, 6, 7] + [Int16](repeating: 0, count: 317))
    }

    @Test func aFullScaleSineReadsZero() throws {
        let sine = Self.sine(1000, amplitude: 32_767)
        let microphone = make(sine)
        begin(microphone)
        microphone.advance(by: .milliseconds(100))
        microphone.perform(.close)
        let reading = try #require(log.readings.first)
        #expect(abs(reading.dbfs) < 0.01 && reading.marks == .clipped)
        let summary = try #require(log.untilClosed())
        #expect(summary.peak == 32_767 && summary.clipped > 0 && summary.frames == 1600)
    }

    @Test func silenceAndDirectCurrentReadMinus120() {
        let microphone = make([Int16](repeating: 900, count: 1600))
        begin(microphone)
        microphone.advance(by: .milliseconds(200))
        #expect(log.readings.map(\.dbfs) == [-120, -120])
    }

    @Test(arguments: opening)
    func aStepThatFailsLeavesItClosedAndTheNextOpeningWorks(step: MicrophoneStep) {
        let microphone = make(script: [.fails(step, .busy(device: "card", holder: "arecord"))])
        for step in Self.opening { microphone.perform(step) }
        #expect(log.events.contains(.failed(step, .busy(device: "card", holder: "arecord"), at: .seconds(5))))
        #expect(!microphone.record.isOpen)
        begin(microphone)
        microphone.advance(by: .milliseconds(10))
        #expect(microphone.record.isOpen && microphone.record.openings == 2)
        #expect(log.samples.count == 160)
    }

    @Test func unpluggedItGivesNoFrameAndStaysOpenUntilClosed() throws {
        let microphone = make(script: [.unplugged(afterFrames: 480)])
        begin(microphone)
        microphone.advance(by: .seconds(1))
        #expect(log.faults == [.unplugged(device: "simulated")])
        #expect(log.samples.count == 480 && microphone.record.isOpen)
        microphone.perform(.close)
        #expect(try #require(log.untilClosed()).frames == 480)
        #expect(!microphone.record.isOpen)
    }

    @Test func withoutASignalItIsReportedOnceAndSilent() {
        let microphone = make([Int16](repeating: 7, count: 3200), script: [.noSignal(afterFrames: 1600)])
        begin(microphone)
        microphone.advance(by: .milliseconds(200))
        #expect(log.faults == [.noSignal(device: "simulated")])
        #expect(log.samples.prefix(1600).allSatisfy { $0 == 7 })
        #expect(log.samples.dropFirst(1600).allSatisfy { $0 == 0 } && log.samples.count == 3200)
    }

    @Test(arguments: opening + [.close])
    func aStepThatHangsIsAnsweredWhenItIsLetGo(step: MicrophoneStep) {
        let microphone = make(script: [.hangs(step)])
        for next in (Self.opening + [.close]).prefix(while: { $0 != step }) { microphone.perform(next) }
        let before = log.events.count
        microphone.perform(step)
        microphone.advance(by: .seconds(30))
        #expect(log.events.count == before)
        microphone.letGo()
        #expect(log.events.count == before + 1)
        microphone.letGo()
        #expect(log.events.count == before + 1)
    }

    @Test func whatComesOutOfOrderIsRecordedAndDoesNothing() {
        let microphone = make()
        microphone.perform(.read)
        microphone.perform(.open)
        microphone.perform(.start)
        microphone.advance(by: .seconds(1))
        #expect(microphone.record.steps == [.read, .open, .start])
        #expect(microphone.record.outOfOrder == [.read, .start])
        #expect(log.samples.isEmpty)
    }

    @Test func twoChannelsComeInterleaved() {
        let microphone = make((0..<1600).map { Int16($0) }, channels: 2)
        begin(microphone)
        microphone.advance(by: .milliseconds(50))
        #expect(log.samples == (0..<1600).map { Int16($0) })
        #expect(microphone.record.frames == 800)
    }

    private static func sine(_ hertz: Int, amplitude: Double) -> [Int16] {
        // A period of 16 samples: the values of sin(2π k/16).
        let quarter = [0, 0.382683432365, 0.707106781187, 0.923879532511, 1]
        let period =
            quarter + quarter.dropLast().reversed() + quarter.dropFirst().map { -$0 }
            + quarter.dropLast().dropFirst().reversed().map { -$0 }
        return (0..<1600).map { Int16((period[$0 * hertz / 1000 % 16] * amplitude).rounded()) }
    }
}
