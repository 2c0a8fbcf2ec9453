import Hardware
import TestSupport
import Testing

@testable import DeviceMachine

@Suite("A worn contact and the whole device")
struct BouncedPressTests {
    /// Debouncer, gesture, turn, switch, cues and card together, mode `hold`: each press that was meant opens a turn of
    /// its own and its release ends it; each start that a glitch made leads to nothing.
    @Test func tenThousandPressesAreTenThousandTurns() {
        let bench = DeviceBench { $0.mode = .hold }
        var contact = WornContact(seed: 5)
        var seen = 0
        var openings = 0
        var kept = 0
        var faults: [String] = []
        while contact.presses < 10_000 {
            for stretch in contact.next() {
                bench.lineIsDown = stretch.down
                for edge in stretch.edges { bench.edge(down: edge.down, at: edge.at) }
                bench.live(until: stretch.end)
            }
            for (_, action) in bench.happened[seen...] {
                switch action {
                case .journal(.opening): openings += 1
                case .commit: kept += 1
                case .log(.error, let line): faults.append(line)
                default: break  // what else a turn does is not counted here
                }
            }
            seen = bench.happened.count
        }
        bench.live(until: bench.now + .seconds(5))
        #expect(openings == contact.presses + bench.machine.glitches)
        #expect(bench.machine.glitches >= contact.glitches)
        #expect(faults == [])
        #expect(kept > 1000)
        #expect(bench.machine.takes.isEmpty)
        #expect(bench.machine.card.recordSwitch.real == .closed)
        #expect(!bench.machine.button.isDown)
        #expect(bench.light.last?.hasPrefix("-") == true)
    }
}
