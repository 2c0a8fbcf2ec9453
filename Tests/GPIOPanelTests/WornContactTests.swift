import GPIOPanel
import Hardware
import TestSupport
import Testing
import Threads
import Turn

/// A minute of presses: the virtual board runs it in virtual time (`board/sim test worn-contact`), so its name does not
/// begin like those of the other tests there.
@Suite("Many presses of a worn contact", .onTheVirtualBoard)
struct WornContactTests {
    /// Each press and each release is a train of 1, 3, 5 or 7 edges, then stable for 12 ms or more, down, and 75 ms or
    /// more, up: more than 12 presses a second are a fault. Of a train the kernel may pass on a part: gpio-sim's edges
    /// wait for its 10 ms tick.
    @Test func fiveHundredBouncedPressesAreFiveHundred() throws {
        let chip = try SimulatedChip(["WORN"])
        let button = try GPIOButton(
            .offset(chip: chip.label, offset: 0), bias: .pullUp, activeLow: true)
        let log = ButtonLog()
        button.start { log.report($0) }
        var random = SeededGenerator(seed: 17)
        let pause = WakeUp()
        for _ in 0..<500 {
            for down in [true, false] {
                for edge in 0..<(1 + 2 * Int.random(in: 0...3, using: &random)) {
                    try chip.pull(0, up: (edge % 2 == 0) != down)
                }
                let stable = Duration.milliseconds(Int.random(in: down ? 12...40 : 75...120, using: &random))
                var seen = try #require(log.edge())
                while seen.down != down { seen = try #require(log.edge()) }
                while MonotonicClock.now < seen.at + stable { pause.wait(until: seen.at + stable) }
            }
        }
        #expect(button.isDown() == false)
        button.shutDown()
        #expect(Self.tally(log.events) == ["pressed": 500, "confirmed": 500, "released": 500])
    }

    /// Edges at least as far apart as the board's clock ticks, 10 ms, are all there: each in its order, none stamped
    /// before it was made or more than a tick after.
    @Test func aThousandEdgesTenMillisecondsApartAllArrive() throws {
        let chip = try SimulatedChip(["WORN"])
        let button = try GPIOButton(
            .offset(chip: chip.label, offset: 0), bias: .pullUp, activeLow: true)
        let log = ButtonLog()
        button.start { log.report($0) }
        var random = SeededGenerator(seed: 10)
        let pause = WakeUp()
        var broken: [String] = []
        var next = MonotonicClock.now
        for press in 0..<500 {
            for down in [true, false] {
                while MonotonicClock.now < next { pause.wait(until: next) }
                let made = MonotonicClock.now
                try chip.pull(0, up: !down)
                next = made + .milliseconds(10) + .microseconds(Int.random(in: 0...20_000, using: &random))
                let edge = try #require(log.edge())
                if edge.down != down || edge.at < made || edge.at > made + .milliseconds(11) {
                    broken.append("\(press): \(edge), made at \(made)")
                }
            }
        }
        #expect(broken == [])
        #expect(log.events.count == 1000)
        #expect(button.isDown() == false)
        button.shutDown()
    }

    /// What the debouncer makes of the reports.
    private static func tally(_ events: [ButtonEvent]) -> [String: Int] {
        var debouncer = Debouncer(heldAtStart: false)
        var found: [Debouncer.Event] = []
        for case .edge(let edge) in events { found += debouncer.edge(down: edge.down, at: edge.at) }
        found += debouncer.advance(to: MonotonicClock.now + .seconds(1))
        var tally: [String: Int] = [:]
        for event in found {
            switch event {
            case .pressed: tally["pressed", default: 0] += 1
            case .confirmed: tally["confirmed", default: 0] += 1
            case .released: tally["released", default: 0] += 1
            case .glitch: tally["glitch", default: 0] += 1
            case .fault: tally["fault", default: 0] += 1
            }
        }
        return tally
    }
}
