import Hardware
import Testing

@testable import Device
@testable import DeviceSettings
@testable import DeviceTools

/// What somebody who tries the button sees.
@Suite struct DoctorLiveTests {
    /// The thumb, 10 ms a character: `#` down, `.` up.
    private func tried(_ drawing: String) -> LiveTrial {
        var trial = LiveTrial()
        var down = false
        var now = Duration.zero
        for character in drawing {
            if (character == "#") != down {
                down.toggle()
                trial.take(.edge(Edge(down: down, at: now)))
            }
            now += .milliseconds(10)
        }
        trial.advance(to: now)
        return trial
    }

    @Test func pressesAreCountedAndTheLastIsTimed() {
        let trial = tried("..#####.....#########......")
        #expect(trial.presses == 2 && !trial.isDown && trial.lastHeld == .milliseconds(90))
        #expect(trial.line(isColoured: false) == "button       ○ up   · 2 presses, the last held 0.09 s")
    }

    @Test func oneThatIsDownIsShownDown() {
        let trial = tried("..#####")
        #expect(trial.isDown)
        #expect(trial.line(isColoured: false) == "button       ● down · 1 press")
    }

    @Test func aGlitchIsNoPress() {
        var trial = LiveTrial()
        trial.take(.edge(Edge(down: true, at: .milliseconds(100))))
        trial.take(.edge(Edge(down: false, at: .milliseconds(102))))
        trial.advance(to: .milliseconds(200))
        #expect(trial.presses == 0 && !trial.isDown && trial.glitches == 1)
        #expect(trial.line(isColoured: false).hasSuffix("· 1 glitch"))
    }

    @Test func aButtonThatIsHeldFromTheStartIsNoPress() {
        var trial = LiveTrial()
        trial.take(.heldAtStart(at: .zero))
        #expect(trial.isDown && trial.presses == 0)
    }

    @Test func aLostButtonIsTheSentenceUntilItIsBack() {
        var trial = LiveTrial()
        trial.take(.lost("It is gone."))
        #expect(trial.line(isColoured: false) == "button       It is gone.")
        #expect(trial.line(isColoured: false, width: 20) == "button       It is ")
        trial.take(.returned(down: false, at: .seconds(1)))
        #expect(trial.line(isColoured: false) == "button       ○ up   · 0 presses")
    }
}
