import Testing
import Wire

/// Button and lamp for another process.
@Suite struct PanelTests {
    @Test func theLampAnswersAPressAndIsStampedAfterIt() async throws {
        let study = try Study()
        let running = try await study.device().start(try study.wav(.phrase()), "--mode", "hold")
        let before = Panel.now
        let lamp = try await running.press()
        #expect(lamp.isOn)
        #expect(lamp.nanoseconds >= before)
        #expect(lamp.nanoseconds <= Panel.now)
        try await running.end()
    }

    @Test func theLampIsLitFromThePressUntilTheMicrophoneCloses() async throws {
        let study = try Study()
        let device = study.device()
        let running = try await device.start(try study.wav(.phrase()), "--mode", "hold")
        let on = try await running.press()
        try await running.untilRecorded(bytes: 2_000)
        let release = Panel.now
        try running.panel.send("release")
        let off = try await running.panel.lamp { !$0.isOn }
        #expect(off.nanoseconds >= release)
        #expect(off.nanoseconds > on.nanoseconds)
        try await running.until("closed")
        let closed = try #require(device.ledger().last?["monotonic_ns"]?.int)
        #expect(off.nanoseconds <= closed)
        try await running.end()
    }

    @Test func everyTurnHasItsOwnLight() async throws {
        let study = try Study()
        let running = try await study.device().start(try study.wav(.phrase()), "--mode", "hold")
        for round in 1...3 {
            _ = try await running.press()
            try await running.until("first_sample", count: round)
            try running.panel.send("release")
            _ = try await running.panel.lamp { !$0.isOn }
            try await running.until("closed", count: round)
        }
        try await running.end()
    }
}
