import TestSupport
import Testing
import Turn

@testable import Cues

/// Every cue; of those that carry a value, one.
let allCues: [Cue] =
    [
        .starting, .listening, .countdown(secondsLeft: 3), .timeUp, .heard, .kept, .nothingHeard, .discarded,
        .replyStarts, .replyWaiting, .notReady, .outboxFull, .paired, .blink,
    ] + Fault.allCases.map { .stopped($0) }

@Suite("The cue service")
struct CueServiceTests {
    /// The outputs of cues fired at milliseconds, the service being woken at its own deadlines up to the end.
    private func told(
        _ cues: [(Cue, at: Int)], until end: Int = 20_000, lamp: Bool = true, motor: Bool = true,
        haptics: Bool = true
    ) -> (drawn: [String], service: CueService) {
        var service = CueService(lamp: lamp, motor: motor, haptics: haptics)
        var drawn: [String] = []
        func note(_ outputs: [CueService.Output], _ at: Duration) {
            for output in outputs {
                let milliseconds = at / .milliseconds(1)
                switch output {
                case .lamp(let on): drawn.append("lamp \(on ? "on" : "off") \(Int(milliseconds))")
                case .motor(let on): drawn.append("motor \(on ? "on" : "off") \(Int(milliseconds))")
                }
            }
        }
        func run(to end: Duration) {
            while let due = service.deadline, due <= end { note(service.advance(to: due), due) }
        }
        for (cue, at) in cues {
            run(to: .milliseconds(at))
            note(service.fire(cue, at: .milliseconds(at)), .milliseconds(at))
        }
        run(to: .milliseconds(end))
        return (drawn, service)
    }

    @Test func thePressEdgeLightsTheLampFirstAndStaysLit() {
        let told = told([(.starting, at: 0)])
        #expect(told.drawn == ["lamp on 0", "motor on 0", "motor off 30"])
        #expect(told.service.deadline == nil)
    }

    @Test func theFirstSampleStillsTheMotor() {
        let told = told([(.starting, at: 0), (.listening, at: 12)])
        #expect(told.drawn == ["lamp on 0", "motor on 0", "motor off 12"])
    }

    @Test func theLampStaysOnWhileTheTurnListensAndBlinksOnceASecondAtItsEnd() {
        let told = told([
            (.starting, at: 0), (.listening, at: 100), (.countdown(secondsLeft: 2), at: 1000),
            (.countdown(secondsLeft: 1), at: 2000), (.timeUp, at: 3000),
        ])
        #expect(
            told.drawn.filter { $0.hasPrefix("lamp") } == [
                "lamp on 0", "lamp off 1000", "lamp on 1120", "lamp off 2000", "lamp on 2120",
                "lamp off 3000",
            ])
    }

    @Test func thinkingBreathesUntilTheNextCue() {
        let told = told([(.starting, at: 0), (.heard, at: 1000), (.replyStarts, at: 6500)], until: 7600)
        #expect(
            told.drawn.filter { $0.hasPrefix("lamp") } == [
                "lamp on 0", "lamp off 1000", "lamp on 2000", "lamp off 3000", "lamp on 4000",
                "lamp off 5000",
                "lamp on 6000", "lamp off 6500", "lamp on 7000", "lamp off 7500",
            ])
    }

    @Test func aBlinkShowsTheOppositeAndThinkingGoesOn() {
        let told = told([(.heard, at: 0), (.blink, at: 1500)], until: 2100)
        #expect(
            told.drawn.filter { $0.hasPrefix("lamp") } == [
                "lamp on 1000", "lamp off 1500", "lamp on 1580", "lamp off 2000",
            ])
    }

    @Test func keptIsTwoShortBlinksAndTwoPulses() {
        let told = told([(.starting, at: 0), (.kept, at: 1000)])
        #expect(
            told.drawn.filter { $0.hasPrefix("lamp") } == [
                "lamp on 0", "lamp off 1000", "lamp on 1120", "lamp off 1240", "lamp on 1360",
                "lamp off 1480",
            ])
        #expect(
            told.drawn.suffix(8).filter { $0.hasPrefix("motor") } == [
                "motor on 1000", "motor off 1040", "motor on 1280", "motor off 1320",
            ])
    }

    @Test(arguments: Fault.allCases)
    func aFaultIsAsManyBlinksAsItsCode(fault: Fault) {
        let told = told([(.starting, at: 0), (.listening, at: 50), (.stopped(fault), at: 1000)])
        #expect(told.drawn.filter { $0.hasPrefix("lamp on") }.count == 1 + fault.code)
        #expect(told.drawn.last?.hasPrefix("lamp off") == true)
    }

    @Test(arguments: allCues)
    func everyCueComesToRestOrBreathes(cue: Cue) {
        let told = told([(.starting, at: 0), (cue, at: 1000)], until: 30_000)
        let breathes = cue == .heard || cue == .replyStarts
        #expect((told.service.deadline == nil) != breathes)
        #expect(told.drawn.last { $0.hasPrefix("motor") }?.hasPrefix("motor off") == true)
    }

    @Test func whatTheBoardDoesNotHaveIsNeverDriven() {
        #expect(told(allCues.map { ($0, at: 0) }, lamp: false).drawn.allSatisfy { !$0.hasPrefix("lamp") })
        #expect(told(allCues.map { ($0, at: 0) }, motor: false).drawn.allSatisfy { !$0.hasPrefix("motor") })
    }

    @Test func mutedVibrationLeavesTheLight() {
        let told = told([(.starting, at: 0), (.heard, at: 100)], until: 5000, haptics: false)
        #expect(told.drawn.allSatisfy { $0.hasPrefix("lamp") })
        #expect(!told.drawn.isEmpty)
    }

    @Test func vibrationIsMutedFromTheNextCueOn() {
        var service = CueService(lamp: false, motor: true, haptics: true)
        let on = service.fire(.stopped(.battery), at: .zero)
        service.setHaptics(false)
        let off = service.advance(to: .milliseconds(400))
        let muted = service.fire(.stopped(.battery), at: .seconds(1))
        #expect(on == [.motor(true)])
        #expect(off == [.motor(false)])
        #expect(muted.isEmpty)
    }

    @Test func goingIdleCutsTheLamp() {
        var service = CueService(lamp: true, motor: false, haptics: true)
        _ = service.fire(.starting, at: .zero)
        let off = service.lampOff(at: .seconds(1))
        #expect(off == [.lamp(false)])
        #expect(service.deadline == nil)
    }

    @Test func aLateAdvancePutsOutOnlyWhatIsDueNow() {
        var service = CueService(lamp: true, motor: true, haptics: true)
        _ = service.fire(.heard, at: .zero)
        let outputs = service.advance(to: .seconds(40_001))
        #expect(outputs == [.lamp(true), .motor(false)])
    }
}
