import Foundation
import Hardware
import SystemFiles
import TestSupport
import Testing

/// The kernel's folder of power supplies, as files.
@Suite struct BatteryReadingTests {
    private let folder = TemporaryFolder()

    private func supply(_ name: String, _ attributes: [String: String]) throws {
        try FileManager.default.createDirectory(
            atPath: folder.file(name), withIntermediateDirectories: true)
        for (attribute, value) in attributes {
            try folder.write("\(name)/\(attribute)", Array((value + "\n").utf8))
        }
    }

    private var level: BatteryLevel? { KernelBattery(folder: folder.path).read() }

    @Test func theGaugesOwnFigureCounts() throws {
        try supply("bat", ["type": "Battery", "capacity": "83", "status": "Discharging"])
        #expect(level == BatteryLevel(percent: 83, isCharged: false))
    }

    @Test(arguments: ["energy", "charge"])
    func withoutOneWhatIsLeftOfWhatFitsIn(kind: String) throws {
        try supply("bat", ["type": "Battery", "\(kind)_now": "1200000", "\(kind)_full": "2000000"])
        #expect(level == BatteryLevel(percent: 60, isCharged: false))
    }

    @Test func aGaugeThatKnowsWordsOnlyIsEmptyWhenItSaysSo() throws {
        try supply("bat", ["type": "Battery", "capacity_level": "Critical"])
        #expect(level?.percent == 0)
        try supply("bat", ["type": "Battery", "capacity_level": "Normal"])
        #expect(level == nil)
    }

    @Test(arguments: [
        ("Charging", "0", true), ("Full", "0", true), ("Not charging", "0", true),
        ("Discharging", "1", false),
        ("Unknown", "1", true), ("Unknown", "0", false),
    ])
    func theBatterysOwnWordComesBeforeTheChargers(status: String, online: String, isCharged: Bool) throws {
        try supply("bat", ["type": "Battery", "capacity": "3", "status": status])
        try supply("ac", ["type": "Mains", "online": online])
        #expect(level == BatteryLevel(percent: 3, isCharged: isCharged))
        #expect(level?.isLow == !isCharged)
    }

    @Test func theFullestOfSeveralCounts() throws {
        try supply("bat0", ["type": "Battery", "capacity": "0", "status": "Discharging"])
        try supply("bat1", ["type": "Battery", "capacity": "40", "status": "Discharging"])
        #expect(level?.percent == 40)
    }

    @Test func theBatteryOfAMouseIsNoneOfThisMachine() throws {
        try supply("mouse", ["type": "Battery", "scope": "Device", "capacity": "2"])
        try supply("gone", ["type": "Battery", "present": "0", "capacity": "0"])
        #expect(level == nil)
    }

    @Test func aMachineWithoutSuppliesHasNone() {
        #expect(KernelBattery(folder: folder.file("nowhere")).read() == nil)
    }

    @Test(arguments: [(0, true), (5, true), (6, false), (100, false)])
    func fivePercentAndBelowIsLow(percent: Int, isLow: Bool) {
        #expect(BatteryLevel(percent: percent, isCharged: false).isLow == isLow)
        #expect(!BatteryLevel(percent: percent, isCharged: true).isLow)
    }
}
