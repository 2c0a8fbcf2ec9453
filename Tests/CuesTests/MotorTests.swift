import TestSupport
import Testing
import Turn

@testable import Cues

@Suite("The motor")
struct MotorTests {
    private func milliseconds(_ from: Int, _ to: Int) -> Range<Duration> {
        .milliseconds(from)..<Duration.milliseconds(to)
    }

    @Test(arguments: [
        (-100, 0, false), (-100, 1, true), (0, 100, true), (29, 60, true), (60, 160, true), (89, 189, true),
        (90, 190, false), (500, 600, false),
    ])
    func itsNoiseLasts60MillisecondsLongerThanThePulse(from: Int, to: Int, noisy: Bool) {
        var service = CueService(lamp: false, motor: true, haptics: true)
        _ = service.fire(.starting, at: .zero)
        _ = service.advance(to: .milliseconds(30))
        #expect(service.motorNoise(overlaps: milliseconds(from, to)) == noisy)
    }

    @Test func aPulseThatGoesOnIsNoise() {
        var service = CueService(lamp: false, motor: true, haptics: true)
        _ = service.fire(.timeUp, at: .seconds(1))
        #expect(service.motorNoise(overlaps: milliseconds(1100, 1200)))
        #expect(!service.motorNoise(overlaps: milliseconds(800, 1000)))
    }

    @Test func aPulseThatWasNeverPutOutIsNone() {
        var service = CueService(lamp: true, motor: true, haptics: false)
        _ = service.fire(.timeUp, at: .zero)
        _ = service.advance(to: .milliseconds(500))
        #expect(!service.motorNoise(overlaps: milliseconds(0, 500)))
    }

    @Test func itNeverRunsLongerThan5Seconds() {
        var service = CueService(lamp: false, motor: true, haptics: true)
        var since: Duration?
        var longest = Duration.zero
        func note(_ outputs: [CueService.Output], _ at: Duration) {
            for output in outputs {
                switch output {
                case .motor(true): since = at
                case .motor(false):
                    longest = max(longest, at - (since ?? at))
                    since = nil
                case .lamp: break
                }
            }
        }
        // A long pulse anew every 100 ms: it would never end.
        for k in 0..<120 {
            let at = Duration.milliseconds(100 * k)
            while let due = service.deadline, due < at { note(service.advance(to: due), due) }
            note(service.fire(.stopped(.battery), at: at), at)
        }
        while let due = service.deadline { note(service.advance(to: due), due) }
        #expect(longest == .seconds(5))
        #expect(since == nil)
    }

    /// Cues at random, advanced late or on time: no line is ever told twice the same, and all comes to rest.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func noTwoOutputsInARowAreEqual(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var service = CueService(lamp: true, motor: true, haptics: true)
        var lamp = false
        var motor = false
        var at = Duration.zero
        for _ in 0..<20_000 {
            at += .milliseconds(Int(random.next() % 700))
            let outputs: [CueService.Output] =
                switch random.next() % 10 {
                case 0..<6: service.fire(allCues[Int(random.next() % UInt64(allCues.count))], at: at)
                case 6: service.lampOff(at: at)
                default: service.advance(to: at)
                }
            for output in outputs {
                switch output {
                case .lamp(let on):
                    #expect(on != lamp)
                    lamp = on
                case .motor(let on):
                    #expect(on != motor)
                    motor = on
                }
            }
            if let due = service.deadline { #expect(due > at) }
        }
        _ = service.lampOff(at: at)
        _ = service.advance(to: at + .seconds(10))
        #expect(service.deadline == nil)
    }
}
