import TestSupport
import Testing

@testable import Turn

@Suite("RecordSwitch with VoiceTurn, every order")
struct RecordSwitchWalkTests {
    /// Up to four presses; at every point the next thing is a press, an end of the turn by itself, or the
    /// card's answer, good or bad. No state is left out.
    @Test func fourPressesAndTheCardsAnswersInEveryOrder() {
        var seen: Set<String> = []
        var front = [SwitchWorld()]
        var settled = 0
        var broken: Set<String> = []
        while let world = front.popLast() {
            guard seen.insert(world.key).inserted else { continue }
            broken.formUnion(world.broken)
            if world.inFlight == nil { settled += 1 }
            var next: [SwitchWorld] = []
            if world.presses < 4 { next.append(world.after { $0.press() }) }
            if world.turnIsUp {
                next.append(world.after { $0.end(.endOfSpeech) })
                next.append(world.after { $0.end(.limit) })
            }
            if world.inFlight != nil {
                next.append(world.after { $0.answer(fails: false) })
                next.append(world.after { $0.answer(fails: true) })
            }
            front.append(contentsOf: next)
        }
        #expect(broken.isEmpty, "\(broken.sorted())")
        #expect(seen.count > 150, "\(seen.count) states")
        #expect(settled > 20)
    }

    /// A burst while a step is in flight: at most one closing and one opening after it, and the last press
    /// has its way.
    @Test(arguments: RecordSwitch.Step.allCases, [99, 100])
    func aHundredPressesCostAtMostTwoTransitionsBeyondTheOneInFlight(step: RecordSwitch.Step, presses: Int) {
        var world = SwitchWorld()
        world.press()
        let reached: RecordSwitch.Step? = step == .read ? nil : step
        if step == .close {
            while world.inFlight != nil { world.answer(fails: false) }
            world.press()
        }
        while world.inFlight != reached { world.answer(fails: false) }
        let before = world.realTransitions
        let performing = world.inFlight == nil ? 0 : 1
        for _ in 0..<presses { world.press() }
        let wanted = world.turnIsUp
        while world.inFlight != nil { world.answer(fails: false) }
        #expect(world.realTransitions - before <= 2 + performing)
        #expect((world.card == .reading) == wanted)
        #expect(world.broken.isEmpty, "\(world.broken)")
    }

    /// Bursts and pauses without end, answers late or bad.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func aLongWalkKeepsTheCardWithTheTurn(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var world = SwitchWorld()
        for _ in 0..<100_000 {
            switch random.next() % 16 {
            case 0..<5: world.press()
            case 5: world.end(.endOfSpeech)
            case 6: world.end(.limit)
            case 7: world.answer(fails: true)
            default: world.answer(fails: false)
            }
            guard world.broken.isEmpty else { break }
        }
        #expect(world.broken.isEmpty, "seed \(seed): \(world.broken)")
        #expect(world.realTransitions > 1000)
    }
}

extension SwitchWorld {
    func after(_ change: (inout SwitchWorld) -> Void) -> SwitchWorld {
        var copy = self
        change(&copy)
        return copy
    }
}
