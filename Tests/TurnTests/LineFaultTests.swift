import TestSupport
import Testing

@testable import Turn

@Suite("A stuck or floating line")
struct LineFaultTests {
    /// A square wave of down and up times in microseconds. Returns what is not a press's own.
    private func wave(
        down: Int, up: Int, from start: Duration = .zero, for length: Duration,
        into debouncer: inout Debouncer
    ) -> [Debouncer.Event] {
        var events: [Debouncer.Event] = []
        var at = start
        while at < start + length {
            events += debouncer.edge(down: true, at: at)
            events += debouncer.edge(down: false, at: at + .microseconds(down))
            at += .microseconds(down + up)
        }
        return events
    }

    private func faults(_ events: [Debouncer.Event]) -> [LineFault] {
        events.compactMap { if case .fault(let fault) = $0 { fault } else { nil } }
    }

    @Test func moreThan200EdgesASecondFor2SecondsAreOneFault() {
        var debouncer = Debouncer(heldAtStart: false)
        let events = wave(down: 4500, up: 4500, for: .seconds(6), into: &debouncer)
        #expect(faults(events) == [.noisy(edgesPerSecond: 222)])
    }

    @Test func moreThan12PressesASecondFor2SecondsAreOneFault() {
        var debouncer = Debouncer(heldAtStart: false)
        let events = wave(down: 35_000, up: 35_000, for: .seconds(6), into: &debouncer)
        #expect(faults(events) == [.tooManyPresses(perSecond: 14)])
    }

    @Test func mainsHumThatMakesOnlyGlitchesIsAFaultToo() {
        var debouncer = Debouncer(heldAtStart: false)
        let events = wave(down: 4000, up: 16_000, for: .seconds(3), into: &debouncer)
        #expect(faults(events) == [.tooManyPresses(perSecond: 50)])
    }

    @Test func theFastestThumbIsNoFault() {
        var debouncer = Debouncer(heldAtStart: false)
        let events = wave(down: 42_000, up: 42_000, for: .seconds(20), into: &debouncer)
        #expect(faults(events).isEmpty)
    }

    @Test func aFloodOfLessThan2SecondsIsNoFault() {
        var debouncer = Debouncer(heldAtStart: false)
        let first = wave(down: 2000, up: 2000, for: .milliseconds(1900), into: &debouncer)
        let second = wave(
            down: 2000, up: 2000, from: .seconds(4), for: .milliseconds(1900), into: &debouncer)
        #expect(faults(first + second).isEmpty)
    }

    @Test func twoFloodedSecondsWithACalmOneBetweenThemAreNoFault() {
        var debouncer = Debouncer(heldAtStart: false)
        var events: [Debouncer.Event] = []
        for second in 0..<6 {
            let half = second % 2 == 0 ? 2000 : 100_000
            events += wave(
                down: half, up: half, from: .seconds(second), for: .milliseconds(990), into: &debouncer)
        }
        #expect(faults(events).isEmpty)
    }

    @Test func afterAFaultPressesAreIgnoredUntilTheLineWasQuietForASecond() {
        var debouncer = Debouncer(heldAtStart: false)
        _ = wave(down: 2000, up: 2000, for: .seconds(3), into: &debouncer)
        let early = wave(
            down: 50_000, up: 50_000, from: .milliseconds(3900), for: .milliseconds(1), into: &debouncer)
        let late = debouncer.edge(down: true, at: .milliseconds(4951))
        #expect(early.isEmpty)
        #expect(late == [.pressed(at: .milliseconds(4951))])
    }

    @Test func aLineThatIsQuietButDownAfterAFaultWaitsForItsRelease() {
        var debouncer = Debouncer(heldAtStart: false)
        _ = wave(down: 2000, up: 2000, for: .seconds(3), into: &debouncer)
        let stuck = debouncer.edge(down: true, at: .milliseconds(3001)) + debouncer.advance(to: .seconds(9))
        let released = debouncer.edge(down: false, at: .seconds(9))
        let pressed = debouncer.edge(down: true, at: .milliseconds(9010))
        #expect(stuck.isEmpty && released.isEmpty)
        #expect(pressed == [.pressed(at: .milliseconds(9010))])
    }

    /// Whatever a line does: `pressed` is answered once by `confirmed`, `glitch` or `fault`, `confirmed` once
    /// by `released` or `fault`, and stamps never go back.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func everyPressIsAnsweredOnce(seed: UInt64) {
        enum Press { case none, open, confirmed }
        var random = SeededGenerator(seed: seed)
        var debouncer = Debouncer(heldAtStart: seed % 2 == 0)
        var press = Press.none
        var at = Duration.zero
        var presses = 0
        var faults = 0
        for _ in 0..<100_000 {
            // Now a flood, now a bouncing contact, now silence, now a thumb.
            let most: UInt64 = [3_000, 40_000, 1_500_000, 300_000][Int((at.components.seconds / 5) % 4)]
            at += .microseconds(Int64(random.next() % most))
            let events: [Debouncer.Event] =
                switch random.next() % 8 {
                case 0: debouncer.advance(to: at)
                case 1: debouncer.levelReread(down: random.next() % 2 == 0, at: at)
                default: debouncer.edge(down: random.next() % 2 == 0, at: at)
                }
            for event in events {
                switch (press, event) {
                case (.none, .pressed):
                    press = .open
                    presses += 1
                case (.open, .confirmed(let pressedAt, let at)):
                    #expect(at - pressedAt == .milliseconds(10))
                    press = .confirmed
                case (.open, .glitch), (.confirmed, .released): press = .none
                case (_, .fault):
                    press = .none
                    faults += 1
                default: Issue.record("seed \(seed): \(event) while \(press)")
                }
            }
            if let due = debouncer.deadline { #expect(due > at) }
        }
        #expect(presses > 100)
        #expect(faults > 1)
    }
}
