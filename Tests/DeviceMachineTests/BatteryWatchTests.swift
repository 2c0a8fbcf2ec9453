import Hardware
import Testing

@testable import DeviceMachine

@Suite("The battery's watch")
struct BatteryWatchTests {
    private var watch = BatteryWatch(isPresent: true)
    private let low = BatteryLevel(percent: 4, isCharged: false)

    @Test mutating func itIsReadWhenATurnBeginsOnceAMinuteAndWhenItHasEnded() {
        let begins = watch.turnRecords(true, at: .zero)
        let goesOn = watch.turnRecords(true, at: .seconds(30))
        #expect(begins && !goesOn && watch.deadline == .seconds(60))
        let early = watch.advance(to: .seconds(59))
        let due = watch.advance(to: .seconds(60))
        #expect(!early && due && watch.deadline == .seconds(120))
        let ends = watch.turnRecords(false, at: .seconds(70))
        let rests = watch.turnRecords(false, at: .seconds(71))
        #expect(ends && !rests && watch.deadline == nil)
    }

    @Test func aBoardWithoutOneIsNeverAsked() {
        var watch = BatteryWatch(isPresent: false)
        let begins = watch.turnRecords(true, at: .zero)
        let due = watch.advance(to: .seconds(600))
        #expect(!begins && !due && watch.deadline == nil)
    }

    @Test mutating func aLowOneIsNewOnceUntilItWasBetter() {
        let readings: [BatteryLevel?] = [
            low, low, BatteryLevel(percent: 4, isCharged: true), low, nil, low,
        ]
        let verdicts = readings.map { watch.read($0) }
        #expect(
            verdicts == [
                .low(percent: 4, wasKnown: false), .low(percent: 4, wasKnown: true), .enough,
                .low(percent: 4, wasKnown: false), .enough, .low(percent: 4, wasKnown: false),
            ])
    }
}
