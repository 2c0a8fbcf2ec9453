import Hardware
import Testing
import Turn

@testable import DeviceMachine

/// What the battery does to a turn.
@Suite struct BatteryMachineTests {
    private let bench = DeviceBench { $0.battery = true }
    private let low = BatteryLevel(percent: 4, isCharged: false)

    private var readings: Int { bench.story("read battery").count }

    /// A press at 0 and speech from 0.8 s to 2 s; lives until `end`.
    private func speak(until end: Duration) {
        bench.thumb("#")
        bench.sound("........############")
        bench.live(until: end)
    }

    @Test func itIsReadWhenATurnBeginsAndWhenItHasEnded() {
        speak(until: .milliseconds(500))
        #expect(readings == 1)
        bench.live(until: .seconds(10))
        #expect(bench.machine.stage == .off && readings == 2)
        bench.live(until: .seconds(600))
        #expect(readings == 2)
        #expect(bench.machine.deadline == nil)
    }

    @Test func itIsReadOnceAMinuteWhileATurnRecords() {
        let memo = DeviceBench {
            $0.battery = true
            $0.mode = .memo
        }
        memo.thumb("#")
        memo.live(until: .milliseconds(179_900))
        #expect(memo.story("read battery").count == 3)
        memo.live(until: .milliseconds(180_100))
        #expect(memo.story("read battery").count == 4)
    }

    @Test func aBoardWithoutABatteryIsNeverAsked() {
        let bench = DeviceBench()
        bench.thumb("#")
        bench.live(until: .seconds(20))
        #expect(bench.story("read battery") == [])
    }

    @Test func aNearlyEmptyOneEndsTheTurnAndKeepsWhatWasSaid() {
        speak(until: .milliseconds(1950))
        bench.happens(.battery(low, at: .milliseconds(1960)), at: .milliseconds(1960))
        bench.live(until: .seconds(5))
        #expect(bench.story("file") == ["file begun u1", "file finished u1: battery", "file kept u1"])
        #expect(bench.story("journal closed") == ["journal closed u1: battery"])
        #expect(bench.machine.turn.phase == .stopped("The battery is low (4 %): charge the device."))
        #expect(bench.light.filter { $0.hasPrefix("+") }.count == 1 + Fault.battery.code)
    }

    @Test func beforeAWordItLeavesNothing() {
        bench.thumb("#")
        bench.live(until: .seconds(1))
        bench.happens(.battery(low, at: bench.now), at: bench.now)
        bench.live(until: .seconds(5))
        #expect(bench.story("file kept", "file gone") == ["file gone u1"])
    }

    @Test func aPressWithAnEmptyBatteryIsAnsweredByItsFaultAndRecordsNothing() {
        bench.battery = low
        bench.thumb("#")
        bench.live(until: .seconds(5))
        #expect(bench.story("file", "card read") == [])
        #expect(bench.story("journal closed") == ["journal closed u1: battery"])
        #expect(bench.light.filter { $0.hasPrefix("+") }.count == 1 + Fault.battery.code)
    }

    @Test func onAChargerAPressWorksAgain() {
        bench.battery = low
        bench.thumb("#")
        bench.live(until: .seconds(5))
        bench.battery = BatteryLevel(percent: 4, isCharged: true)
        bench.thumb("#", from: .seconds(6))
        bench.live(until: .seconds(7))
        #expect(bench.machine.turn.micOpen)
    }

    @Test func betweenTurnsItIsSaidOnce() {
        bench.battery = BatteryLevel(percent: 50, isCharged: false)
        speak(until: .seconds(10))
        bench.happens(.battery(low, at: bench.now), at: bench.now)
        bench.happens(.battery(low, at: bench.now), at: bench.now)
        bench.live(until: .seconds(11))
        #expect(bench.story("error") == ["error: The battery is low (4 %): charge the device."])
        #expect(bench.machine.stage == .off)
    }

    @Test func oneThatDoesNotTellChangesNothing() {
        speak(until: .milliseconds(1950))
        bench.happens(.battery(nil, at: bench.now), at: bench.now)
        bench.live(until: .seconds(10))
        #expect(bench.story("file finished") == ["file finished u1: hangover"])
    }
}
