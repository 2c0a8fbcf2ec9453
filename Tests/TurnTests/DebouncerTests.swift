import Testing

@testable import Turn

@Suite("Debouncer")
struct DebouncerTests {
    /// One character for each millisecond; between edges the debouncer is woken at its own deadlines.
    private func events(_ drawing: String, heldAtStart: Bool = false) -> [String] {
        let line = Timeline(drawing, step: .milliseconds(1), downBefore: heldAtStart)
        var debouncer = Debouncer(heldAtStart: heldAtStart)
        var events: [Debouncer.Event] = []
        for edge in line.edges {
            while let due = debouncer.deadline, due < edge.at { events += debouncer.advance(to: due) }
            events += debouncer.edge(down: edge.down, at: edge.at)
        }
        while let due = debouncer.deadline, due <= line.end { events += debouncer.advance(to: due) }
        return events.map(\.drawn)
    }

    @Test(
        arguments: [
            // A clean press acts at once; its release is stamped with its own edge.
            ("#################### ...............", ["pressed 0", "confirmed 0 10", "released 20"]),
            // A contact that bounces at both ends is one press.
            ("#.##.############### .#..##............", ["pressed 0", "confirmed 0 10", "released 26"]),
            // Down for 4 ms in all: a glitch, and nothing else follows it.
            ("####................................", ["glitch"]),
            ("#.#.#.#............................", ["glitch"]),
            // Down for 5 ms in all: a press.
            ("#####...............................", ["pressed 0", "confirmed 0 10", "released 5"]),
            ("#.#.#.#.#...........................", ["pressed 0", "confirmed 0 10", "released 9"]),
            // Down again 9 ms after a release edge: still the same press. After 10 ms: another.
            (
                "############### ......... ########## ...........",
                ["pressed 0", "confirmed 0 10", "released 34"]
            ),
            (
                "############### .......... ########## ...........",
                [
                    "pressed 0", "confirmed 0 10", "released 15", "pressed 25", "confirmed 25 35",
                    "released 35",
                ]
            ),
            // An edge after a glitch, but before 10 ms of release, is none.
            ("###....... ..### ................", ["glitch"]),
            (
                "###....... ...#############............",
                ["pressed 0", "glitch 0 10", "pressed 13", "confirmed 13 23", "released 26"]
            ),
            // A line that stays down after a glitch was pressed all the while, through a contact that closes badly.
            (
                "#.......### ################ .......... ############",
                [
                    "pressed 0", "glitch 0 10", "pressed 8", "confirmed 8 18", "released 27", "pressed 37",
                    "confirmed 37 47",
                ]
            ),
            // It says nothing while it goes on to bounce.
            (
                "#......#....#....#....... #......... #.................",
                ["pressed 0", "glitch 0 10"]
            ),
            (
                "#......#....#....#....... #########.########## ...........",
                ["pressed 0", "glitch 0 10", "pressed 35", "confirmed 35 45", "released 45"]
            ),
        ] as [(String, [String])])
    func aLine(drawing: String, expected: [String]) {
        let found = events(drawing)
        #expect(found == (expected == ["glitch"] ? ["pressed 0", "glitch 0 10"] : expected))
    }

    @Test(
        arguments: [
            ("############################", []),
            ("############......", []),
            ("############.........########", []),
            ("############..........##########", ["pressed 22", "confirmed 22 32"]),
        ] as [(String, [String])])
    func heldAtTheStartSaysNothingBeforeAStableRelease(drawing: String, expected: [String]) {
        #expect(events(drawing, heldAtStart: true) == expected)
    }

    @Test func aDeadlineThatNobodyKeptChangesNothing() {
        var debouncer = Debouncer(heldAtStart: false)
        let pressed = debouncer.edge(down: true, at: .milliseconds(100))
        let rest = debouncer.edge(down: false, at: .milliseconds(400)) + debouncer.advance(to: .seconds(9))
        #expect((pressed + rest).map(\.drawn) == ["pressed 100", "confirmed 100 110", "released 400"])
    }

    @Test func glitchesAreCounted() {
        var debouncer = Debouncer(heldAtStart: false)
        for k in 0..<3 {
            _ = debouncer.edge(down: true, at: .milliseconds(100 * k))
            _ = debouncer.edge(down: false, at: .milliseconds(100 * k + 2))
        }
        _ = debouncer.advance(to: .seconds(1))
        #expect(debouncer.glitches == 3)
    }

    @Test func aLostReleaseIsFoundByReadingTheLevelAnew() {
        var debouncer = Debouncer(heldAtStart: false)
        _ = debouncer.edge(down: true, at: .zero)
        _ = debouncer.advance(to: .milliseconds(10))
        #expect(debouncer.isDown)
        let still = debouncer.levelReread(down: true, at: .seconds(1))
        let gone = debouncer.levelReread(down: false, at: .seconds(2))
        let released = debouncer.advance(to: .milliseconds(2010))
        #expect(still.isEmpty && gone.isEmpty)
        #expect(released == [.released(at: .seconds(2))])
        #expect(!debouncer.isDown)
    }

    @Test func anIdleLineHasNoDeadline() {
        var debouncer = Debouncer(heldAtStart: false)
        #expect(debouncer.deadline == nil)
        _ = debouncer.edge(down: true, at: .zero)
        #expect(debouncer.deadline == .milliseconds(10))
        _ = debouncer.advance(to: .milliseconds(10))
        #expect(debouncer.deadline == nil)
        _ = debouncer.edge(down: false, at: .milliseconds(50))
        #expect(debouncer.deadline == .milliseconds(60))
        _ = debouncer.advance(to: .milliseconds(60))
        #expect(debouncer.deadline == nil)
    }

    @Test func aStampThatGoesBackCountsAsNow() {
        var debouncer = Debouncer(heldAtStart: false)
        _ = debouncer.advance(to: .seconds(5))
        let events = debouncer.edge(down: true, at: .seconds(4))
        #expect(events == [.pressed(at: .seconds(5))])
    }
}
