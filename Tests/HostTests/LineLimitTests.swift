import Testing

@testable import Host

@Suite struct LineLimitTests {
    /// One line a second: `#` written, `.` left out.
    @Test(arguments: [("###.......###.......", 3, 10), ("##..##..", 2, 4), ("########", 1, 1)])
    func aWindowTakesSoManyLines(timeline: String, lines: Int, window: Int) {
        var limit = LineLimit(lines: lines, window: .seconds(window))
        let seen = timeline.indices.enumerated().map { second, _ in
            limit.admit(at: .seconds(second)).admitted ? "#" : "."
        }
        #expect(seen.joined() == timeline)
    }

    @Test func whatWasLeftOutIsCountedOnce() {
        var limit = LineLimit(lines: 1, window: .seconds(10))
        let dropped = [0, 1, 2, 10, 11, 20, 30].map { limit.admit(at: .seconds($0)).dropped }
        #expect(dropped == [0, 0, 0, 2, 0, 1, 0])
    }
}
