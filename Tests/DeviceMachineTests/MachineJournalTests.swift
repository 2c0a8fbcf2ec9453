import EndOfSpeech
import Hardware
import TestSupport
import Testing
import Turn

@testable import DeviceMachine

/// What the machine has written into the microphone's journal.
@Suite struct MachineJournalTests {
    /// A day of presses on the bench: everything that may happen to a start happens.
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func everyOpeningHasExactlyOneClosing(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bench = DeviceBench { $0.mode = [.press, .hold, .memo][Int(seed % 3)] }
        bench.cardTakes[.open] = .milliseconds([5, 60, 700][Int(seed % 3)])
        bench.sound(String((0..<4000).map { _ in Int.random(in: 0..<4, using: &random) == 0 ? "#" : "." }))
        var at = Duration.zero
        while at < .seconds(300) {
            at += .milliseconds(Int.random(in: 20...6000, using: &random))
            let held = Duration.milliseconds([3, 80, 80, 400, 900, 2000].randomElement(using: &random) ?? 80)
            bench.edge(down: true, at: at)
            bench.edge(down: false, at: at + held)
            at += held
            if Int.random(in: 0..<8, using: &random) == 0 {
                let when = at
                bench.happens(.microphone(.fault(.unplugged(device: "mic"), at: when)), at: when)
            }
        }
        bench.happens(.endAsked(.shutdown, at: .seconds(400)), at: .seconds(400))
        bench.live(until: .seconds(500))
        var closings: [UtteranceID: Int] = [:]
        for entry in bench.happened {
            guard case .journal(let entry) = entry.what else { continue }
            switch entry {
            case .opening(let press, let reason, _, _):
                #expect(reason == .press && closings.updateValue(0, forKey: press) == nil)
            case .firstSample(let press, _, _): #expect(closings[press] == 0)
            case .closed(let press, _, _, _): closings[press, default: 9] += 1
            }
        }
        #expect(closings.count > 20)
        #expect(closings.values.allSatisfy { $0 == 1 })
    }
}
