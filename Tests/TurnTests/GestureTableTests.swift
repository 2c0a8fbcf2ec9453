import Testing

@testable import Turn

/// A row of the gestures' table: a mode, what a press does in thinking, a stage, and what a tap (100 ms), a
/// glitch (3 ms) and a hold (1.8 s) lead to.
struct GestureRow: Sendable, CustomStringConvertible {
    let mode: Gesture.Mode
    let pressWhileThinking: Gesture.PressWhileThinking
    let stage: Gesture.Stage
    let tap: String
    let glitch: String
    let hold: String

    var description: String { "\(mode), \(pressWhileThinking), \(stage)" }

    init(_ line: Substring) {
        let cells = line.split(separator: "|").map {
            $0.split(separator: " ").joined(separator: " ").replacing("–", with: "")
        }
        precondition(cells.count == 6, "a row has six cells: \(line)")
        func named<Value: CaseIterable>(_ cell: String) -> Value {
            guard let value = Value.allCases.first(where: { "\($0)" == cell }) else {
                preconditionFailure("\(cell) is no \(Value.self)")
            }
            return value
        }
        mode = named(cells[0])
        pressWhileThinking = named(cells[1])
        stage = named(cells[2])
        tap = cells[3]
        glitch = cells[4]
        hold = cells[5]
    }

    static let all: [GestureRow] = """
        press | nothing | off       | begin               | begin abandonStart | begin pushToTalk endUtterance
        press | nothing | stopped   | begin               | begin abandonStart | begin pushToTalk endUtterance
        press | nothing | starting  | stopStart           | stopStart          | stopStart
        press | nothing | listening | closeAndWait commit | –                  | closeAndWait discard
        press | nothing | thinking  | blink               | –                  | blink cancelWait
        press | nothing | speaking  | stopReply           | –                  | stopReply
        press | new     | off       | begin               | begin abandonStart | begin pushToTalk endUtterance
        press | new     | stopped   | begin               | begin abandonStart | begin pushToTalk endUtterance
        press | new     | starting  | stopStart           | stopStart          | stopStart
        press | new     | listening | closeAndWait commit | –                  | closeAndWait discard
        press | new     | thinking  | restart             | –                  | restart pushToTalk endUtterance
        press | new     | speaking  | stopReply           | –                  | stopReply
        hold  | nothing | off       | begin discard       | begin abandonStart | begin endUtterance
        hold  | nothing | stopped   | begin discard       | begin abandonStart | begin endUtterance
        hold  | nothing | starting  | stopStart           | stopStart          | stopStart
        hold  | nothing | listening | endUtterance        | –                  | endUtterance
        hold  | nothing | thinking  | blink               | –                  | blink cancelWait
        hold  | nothing | speaking  | stopReply           | –                  | stopReply
        hold  | new     | off       | begin discard       | begin abandonStart | begin endUtterance
        hold  | new     | stopped   | begin discard       | begin abandonStart | begin endUtterance
        hold  | new     | starting  | stopStart           | stopStart          | stopStart
        hold  | new     | listening | endUtterance        | –                  | endUtterance
        hold  | new     | thinking  | restart discard     | –                  | restart endUtterance
        hold  | new     | speaking  | stopReply           | –                  | stopReply
        memo  | nothing | off       | begin               | begin abandonStart | begin
        memo  | nothing | stopped   | begin               | begin abandonStart | begin
        memo  | nothing | starting  | stopStart           | stopStart          | stopStart
        memo  | nothing | listening | endUtterance        | –                  | endUtterance
        memo  | nothing | thinking  | blink               | –                  | blink
        memo  | nothing | speaking  | stopReply           | –                  | stopReply
        memo  | new     | off       | begin               | begin abandonStart | begin
        memo  | new     | stopped   | begin               | begin abandonStart | begin
        memo  | new     | starting  | stopStart           | stopStart          | stopStart
        memo  | new     | listening | endUtterance        | –                  | endUtterance
        memo  | new     | thinking  | restart             | –                  | restart
        memo  | new     | speaking  | stopReply           | –                  | stopReply
        """.split(separator: "\n").map(GestureRow.init)
}

@Suite("Gestures, every cell")
struct GestureTableTests {
    private func actions(_ row: GestureRow, _ drawing: String) -> (drawn: String, stale: [String]) {
        var bench = GestureBench(row.mode, row.pressWhileThinking)
        bench.enter(row.stage)
        bench.run(to: .seconds(10))
        bench.draw(drawing, step: .milliseconds(1))
        bench.run(to: .seconds(20))
        return (bench.drawn(), bench.stale)
    }

    private func line(down: Int) -> String { String(repeating: "#", count: down) + "." }

    @Test(arguments: GestureRow.all) func aTap(row: GestureRow) {
        let found = actions(row, line(down: 100))
        #expect(found.drawn == row.tap)
        #expect(found.stale.isEmpty)
    }

    @Test(arguments: GestureRow.all) func aGlitch(row: GestureRow) {
        let found = actions(row, line(down: 3))
        #expect(found.drawn == row.glitch)
        #expect(found.stale.isEmpty)
    }

    @Test(arguments: GestureRow.all) func aHold(row: GestureRow) {
        let found = actions(row, line(down: 1800))
        #expect(found.drawn == row.hold)
        #expect(found.stale.isEmpty)
    }

    @Test func theTableHasEveryCell() {
        let cells = Set(GestureRow.all.map(\.description))
        let n = Gesture.Mode.allCases.count * Gesture.PressWhileThinking.allCases.count
        #expect(cells.count == n * Gesture.Stage.allCases.count)
        #expect(GestureRow.all.count == cells.count)
    }
}
