import Testing

@testable import DeviceMachine

/// The system goes to sleep or shuts down, and waits a moment.
@Suite struct MachineSleepTests {
    private let bench = DeviceBench()

    private func sleepBegins(at time: Duration) {
        bench.happens(.endAsked(.sleep, at: time), at: time)
    }

    @Test func anIdleDeviceDoesNothing() {
        sleepBegins(at: .seconds(1))
        bench.live(until: .seconds(4))
        #expect(bench.story == [])
    }

    @Test func whatWasSaidIsKeptAndTheProgramGoesOn() {
        bench.thumb("#")
        bench.sound("........############")
        sleepBegins(at: .milliseconds(1500))
        bench.live(until: .seconds(4))
        #expect(bench.story("file kept", "file gone") == ["file kept u1"])
        #expect(bench.story("end") == [])
        #expect(bench.machine.card.recordSwitch.real == .closed && bench.machine.takes.isEmpty)
    }

    @Test func aTurnThatOnlyStartsLeavesTheCardClosed() {
        bench.thumb("#")
        sleepBegins(at: .milliseconds(40))
        bench.live(until: .seconds(4))
        #expect(bench.story("file kept") == [])
        #expect(bench.machine.card.recordSwitch.real == .closed && bench.machine.takes.isEmpty)
    }
}
