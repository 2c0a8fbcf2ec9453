import Testing
import Turn

@testable import DeviceMachine

@Suite("The button's watch")
struct ButtonWatchTests {
    private var watch = ButtonWatch()

    private mutating func edge(_ down: Bool, _ milliseconds: Int) -> [ButtonWatch.Output] {
        watch.edge(down: down, stamp: .milliseconds(milliseconds), at: .milliseconds(milliseconds))
    }

    /// Serves every deadline up to a time; what came of it, with its time.
    private mutating func live(until end: Int) -> [String] {
        var told: [String] = []
        while let due = watch.deadline, due <= .milliseconds(end) {
            for output in watch.advance(to: due) {
                switch output {
                case .reread: told.append("reread \(due.inMilliseconds)")
                case .event(.confirmed): told.append("confirmed \(due.inMilliseconds)")
                case .event(.released): told.append("released \(due.inMilliseconds)")
                case .event(.glitch): told.append("glitch \(due.inMilliseconds)")
                case .event(.pressed), .event(.fault): told.append("\(output)")
                }
            }
        }
        return told
    }

    @Test mutating func aLineThatIsUpIsNeverReadAgain() {
        #expect(watch.deadline == nil && !watch.isDown)
        let press = edge(true, 10)
        #expect(press == [.event(.pressed(at: .milliseconds(10)))])
        let held = live(until: 99)
        #expect(held == ["confirmed 20"])
        _ = edge(false, 100)
        let told = live(until: 10_000)
        #expect(told == ["released 110"])
        #expect(watch.deadline == nil)
    }

    @Test mutating func aLineThatIsDownIsReadOnceASecond() {
        _ = edge(true, 0)
        let told = live(until: 3500)
        #expect(told == ["confirmed 10", "reread 1000", "reread 2000", "reread 3000"])
        let answer = watch.levelReread(down: false, stamp: .milliseconds(3500), at: .milliseconds(3500))
        #expect(answer == [])
        let rest = live(until: 10_000)
        #expect(rest == ["released 3510"])
        #expect(!watch.isDown && watch.deadline == nil)
    }

    @Test mutating func aReadingThatConfirmsTheLevelChangesNothing() {
        _ = edge(true, 0)
        _ = live(until: 1000)
        let answer = watch.levelReread(down: true, stamp: .milliseconds(1000), at: .milliseconds(1000))
        #expect(answer == [] && watch.isDown && watch.deadline == .seconds(2))
    }

    @Test mutating func aLineThatIsFoundHeldIsReadAgainAndIsNoPress() {
        watch.beginAnew(held: true, at: .seconds(100))
        #expect(watch.isDown && watch.deadline == .seconds(101))
        let told = live(until: 101_500)
        #expect(told == ["reread 101000"])
        let release = edge(false, 102_000)
        let rest = live(until: 110_000)
        #expect(release == [] && rest == [])
        let press = edge(true, 120_000)
        #expect(press == [.event(.pressed(at: .seconds(120)))])
    }

    @Test mutating func glitchesBeforeANewBeginningStillCount() {
        for at in [0, 1000] {
            _ = edge(true, at)
            _ = edge(false, at + 2)
            _ = live(until: at + 500)
        }
        #expect(watch.glitches == 2)
        watch.beginAnew(held: false, at: .seconds(2))
        #expect(watch.glitches == 2)
    }

    @Test mutating func aLineThatHumsDoesNotRestAndTheNextPressBeginsAnew() {
        _ = edge(true, 0)
        _ = live(until: 50)
        #expect(watch.rests)
        for number in 0..<70 { _ = edge(number.isMultiple(of: 2) ? false : true, 100 + 8 * number) }
        #expect(!watch.rests)
        _ = edge(false, 3000)
        _ = live(until: 4000)
        _ = edge(true, 5000)
        #expect(watch.rests)
    }
}
