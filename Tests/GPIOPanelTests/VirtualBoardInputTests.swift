import Dispatch
import Foundation
import Hardware
import InputButton
import TestSupport
import Testing
import Threads

@Suite("A button that is a key", .onTheVirtualBoard)
struct VirtualBoardInputTests {
    private static let record: UInt16 = 167
    private let log = ButtonLog()
    private let device: VirtualInputDevice

    init() throws { device = try VirtualInputDevice(keys: [Self.record, 30]) }

    private func started() throws -> InputButton {
        let button = try InputButton(path: device.path, key: "KEY_RECORD")
        button.start { [log] in log.report($0) }
        return button
    }

    private func thumb(_ down: Bool) throws { try device.send(Self.record, down ? 1 : 0) }

    @Test(arguments: ButtonContractTests.facts.indices) func itKeepsTheContract(fact: Int) throws {
        let button = try InputButton(path: device.path, key: "KEY_RECORD")
        let contract = ButtonContract(now: monotonicNow) {
            PressedButton(button: button) { down in try thumb(down) }
        }
        let broken = try ButtonContractTests.facts[fact].1(contract)
        #expect(broken == [])
        button.shutDown()
    }

    @Test func repetitionsAndOtherKeysAreNothing() throws {
        let button = try started()
        try thumb(true)
        try device.send(Self.record, 2)
        try device.send(30, 1)
        try device.send(30, 0)
        try thumb(false)
        #expect([log.edge()?.down, log.edge()?.down] == [true, false])
        #expect(log.events.count == 2)
        button.shutDown()
    }

    @Test func heldAtTheStartIsTold() throws {
        try thumb(true)
        let button = try started()
        guard case .heldAtStart? = log.next() else {
            Issue.record("\(log.events)")
            return
        }
        button.shutDown()
    }

    @Test func itIsOursAlone() throws {
        let button = try started()
        let error = errorThrown(InputError.self) { try InputButton(path: device.path, key: "KEY_RECORD") }
        #expect(error == .busy(path: device.path))
        button.shutDown()
    }

    @Test func aKeyThatTheDeviceLacksIsToldWithThoseItHas() {
        let error = errorThrown(InputError.self) { try InputButton(path: device.path, key: "KEY_F5") }
        #expect(error == .noSuchKey(path: device.path, key: "KEY_F5", offered: ["KEY_A", "KEY_RECORD"]))
    }

    /// A button whose thread stands still in its first report, until the gate opens: what happens meanwhile is unread.
    private func pressedAndUnread() throws -> (button: InputButton, gate: DispatchSemaphore) {
        let button = try InputButton(path: device.path, key: "KEY_RECORD")
        let gate = DispatchSemaphore(value: 0)
        button.start { [log] in log.report($0, standingStillUntil: gate) }
        try thumb(true)
        #expect(log.edge()?.down == true)
        return (button, gate)
    }

    /// The kernel keeps 64 events for a reader. The 64th here is the report of the release: all before it is thrown
    /// away (`evdev.c`, `__pass_event`), and only the level tells that the thumb is up.
    @Test func aReleaseThatTheQueueLostIsReadFromTheLevel() throws {
        let (button, gate) = try pressedAndUnread()
        try device.send(30, 1)
        for round in 0..<31 { try thumb(round % 2 == 1) }
        gate.signal()
        #expect(log.edge()?.down == false)
        try thumb(true)
        #expect(log.edge()?.down == true)
        #expect(log.events.count == 3)
        button.shutDown()
    }

    @Test func afterManyUnreadEventsTheLevelIsTrue() throws {
        let (button, gate) = try pressedAndUnread()
        for round in 0..<201 { try thumb(round % 2 == 1) }
        gate.signal()
        var last = log.edge()
        while let edge = last, edge.down { last = log.edge() }
        #expect(last?.down == false)
        #expect(button.isDown() == false)
        #expect(log.events.count < 200)
        button.shutDown()
    }

    @Test func anUnpluggedDeviceIsLostOnceAndReturnsOnce() throws {
        let folder = TemporaryFolder()
        let path = folder.file("button")
        var clicker: VirtualInputDevice? = try VirtualInputDevice(keys: [Self.record])
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: try #require(clicker).path)
        let button = try InputButton(path: path, key: "KEY_RECORD")
        button.start { [log] in log.report($0) }
        try clicker?.send(Self.record, 1)
        #expect(log.edge()?.down == true)
        try FileManager.default.removeItem(atPath: path)
        clicker = nil
        // The kernel lets go of the keys of a device that goes, and whoever reads late does not get to see it.
        var next = log.next()
        if case .edge(let edge)? = next, !edge.down { next = log.next() }
        guard case .lost(let sentence)? = next else {
            Issue.record("\(log.events)")
            return
        }
        #expect(sentence.contains(path))
        #expect(button.isDown() == nil)
        let again = try VirtualInputDevice(keys: [Self.record])
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: again.path)
        guard case .returned(false, _)? = log.next() else {
            Issue.record("\(log.events)")
            return
        }
        try again.send(Self.record, 1)
        #expect(log.edge()?.down == true)
        button.shutDown()
    }
}
