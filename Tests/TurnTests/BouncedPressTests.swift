import TestSupport
import Testing

@testable import Turn

@Suite("Ten thousand presses of a worn contact")
struct BouncedPressTests {
    /// The debouncer as its owner keeps it: woken at its deadlines, the level read anew once a second while it is down.
    private struct Owner {
        var debouncer = Debouncer(heldAtStart: false)
        var rereadAt: Duration?
        var tally: [String: Int] = [:]
        /// Of the latest press that was told and not judged yet.
        private var open: Duration?

        mutating func live(_ stretch: WornContact.Stretch) {
            for edge in stretch.edges {
                run(to: edge.at, down: stretch.down)
                count(debouncer.edge(down: edge.down, at: edge.at))
                settle(at: edge.at)
            }
            run(to: stretch.end, down: stretch.down)
        }

        private mutating func run(to end: Duration, down: Bool) {
            while let due = [debouncer.deadline, rereadAt].compactMap({ $0 }).min(), due <= end {
                if due == rereadAt {
                    rereadAt = due + .seconds(1)
                    count(debouncer.levelReread(down: down, at: due))
                }
                count(debouncer.advance(to: due))
                settle(at: due)
            }
        }

        private mutating func settle(at now: Duration) {
            rereadAt = debouncer.isDown ? rereadAt ?? now + .seconds(1) : nil
        }

        private mutating func count(_ events: [Debouncer.Event]) {
            for event in events {
                switch event {
                case .pressed(let at):
                    tally["pressed", default: 0] += 1
                    open = at
                case .confirmed(let at, _):
                    tally[at == open ? "confirmed" : "confirmed another", default: 0] += 1
                case .glitch(let at, _): tally[at == open ? "glitch" : "glitch of another", default: 0] += 1
                case .released: tally["released", default: 0] += 1
                case .fault: tally["fault", default: 0] += 1
                }
            }
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func exactlyThoseThatWereMeantAreTold(seed: UInt64) {
        var contact = WornContact(seed: seed)
        var owner = Owner()
        while contact.presses < 10_000 {
            for stretch in contact.next() {
                owner.live(stretch)
                if stretch.edges.isEmpty, stretch.down { #expect(owner.debouncer.isDown) }
            }
            // After each pause the line has been read anew, whatever was lost.
            #expect(!owner.debouncer.isDown)
        }
        let glitches = owner.tally["glitch"] ?? 0
        #expect(owner.tally["confirmed"] == contact.presses)
        #expect(owner.tally["released"] == contact.presses)
        #expect(owner.tally["pressed"] == contact.presses + glitches)
        #expect(Set(owner.tally.keys) == ["pressed", "confirmed", "glitch", "released"])
        #expect(glitches >= contact.glitches)
        #expect(owner.debouncer.glitches == glitches)
        #expect(contact.lostReleases > 500)
    }
}
