import Foundation
import Testing
import Wire

/// What a device holds open: only while it listens, the microphone.
@Suite struct IdleTests {
    private func microphones(_ running: RunningDevice, _ path: String) throws -> Int {
        try Descriptors(of: running.program.pid).paths.filter { $0 == path || $0.hasPrefix("/dev/snd") }.count
    }

    @Test func theMicrophoneIsOpenOnlyWhileItListens() async throws {
        let study = try Study()
        let device = study.device()
        let microphone = try study.wav(.phrase())
        let running = try await device.start(microphone, "--mode", "hold")
        for round in 1...2 {
            #expect(try microphones(running, microphone) == 0)
            _ = try await running.press()
            try await running.until("first_sample", count: round)
            #expect(try microphones(running, microphone) == 1)
            try await running.untilRecorded(bytes: 2_000)
            try running.panel.send("release")
            try await running.until("closed", count: round)
            #expect(try microphones(running, microphone) == 0)
        }
        try await running.end()
    }

    @Test func anIdleDeviceHoldsOnlyItsPanelItsSocketItsJournalAndItsLock() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let running = try await device.start(try study.wav(.phrase()), "--mode", "hold")
        let before = try await idle(running)
        _ = try await running.press()
        try await running.untilRecorded(bytes: 2_000)
        try running.panel.send("release")
        try await study.untilStored(1)
        try await running.untilItSays("let go")
        let after = try await idle(running)
        for open in [before, after] {
            #expect(open.network.isEmpty)
            #expect(Set(open.localSockets) == [device.path + "/control", running.panel.devicePath])
            #expect(
                open.files(but: study.logs) == [device.path + "/ledger/000001.jsonl", device.path + "/lock"])
        }
        #expect(after.all.count == before.all.count)
        try await running.end()
    }

    /// What it holds when it has settled: it may still be looking at the card, or closing the connection over which
    /// the last receipt came. It is asked for its status meanwhile, so that it gets its turn.
    private func idle(_ running: RunningDevice) async throws -> Descriptors {
        var open = try Descriptors(of: running.program.pid)
        for _ in 0..<200 where !open.network.isEmpty || open.files(but: running.device.study.logs).count != 2
        {
            _ = try await running.status()
            open = try Descriptors(of: running.program.pid)
        }
        return open
    }

    @Test func noPortListens() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let running = try await device.start(try study.wav(.phrase()), "--mode", "hold")
        _ = try await running.press()
        try await running.until("first_sample")
        #expect(try Descriptors(of: running.program.pid).listening.isEmpty)
        try running.panel.send("release")
        try await running.end()
    }
}
