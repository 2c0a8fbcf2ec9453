import GPIOPanel
import Hardware
import TestSupport
import Testing

@Suite("Real lines", .onTheVirtualBoard)
struct VirtualBoardLineTests {
    private let chip: SimulatedChip

    init() throws { chip = try SimulatedChip(["PANEL_LAMP", "PANEL_MOTOR"]) }

    private func address(_ offset: Int) -> LineAddress { .offset(chip: chip.label, offset: offset) }

    private func refusal(_ address: LineAddress) -> GPIOError? {
        errorThrown(GPIOError.self) { try GPIOButton(address, bias: .pullUp, activeLow: true) }
    }

    @Test(arguments: lampFacts.indices) func aLampKeepsTheContract(fact: Int) throws {
        let contract = LampContract {
            ObservedOutput(try GPIOOutput(address(0)), look: try chip.level(0))
        }
        let broken = try lampFacts[fact].1(contract)
        #expect(broken == [])
    }

    @Test(arguments: motorFacts.indices) func aMotorKeepsTheContract(fact: Int) throws {
        let contract = MotorContract {
            ObservedOutput(try GPIOOutput(address(1)), look: try chip.level(1))
        }
        let broken = try motorFacts[fact].1(contract)
        #expect(broken == [])
    }

    @Test func twoOutputsAreApart() throws {
        let (lamp, motor) = (try GPIOOutput(address(0)), try GPIOOutput(address(1)))
        motor.set(true)
        let levels = [try chip.isHigh(0), try chip.isHigh(1)]
        #expect(levels == [false, true])
        withExtendedLifetime(lamp) {}
    }

    @Test func turningOffNeedsTheLineFree() throws {
        try GPIOOutput.turnOff(address(0))
        let lamp = try GPIOOutput(address(0))
        let error = errorThrown(GPIOError.self) { try GPIOOutput.turnOff(address(0)) }
        #expect(error == .busy(line: "\(address(0))", consumer: "lapel"))
        withExtendedLifetime(lamp) {}
    }

    @Test func anOutputComesBackWithItsChip() throws {
        let lamp = try GPIOOutput(address(0))
        try chip.unplug()
        lamp.set(true)
        try chip.plug()
        // A chip that is gone is looked for once a second at most; the loop's lamp is set anew with every turn.
        while try !chip.isHigh(0) { lamp.set(true) }
    }

    @Test func aBusyLineNamesItsHolder() throws {
        let lamp = try GPIOOutput(address(0))
        #expect(refusal(address(0)) == .busy(line: "\(address(0))", consumer: "lapel"))
        withExtendedLifetime(lamp) {}
    }

    @Test func aMissingLineIsToldWithTheNearestNames() throws {
        let error = refusal(.name("PANEL_LAMB"))
        guard case .missingLine("PANEL_LAMB", let existing)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(existing.contains(NamedLine(chip: chip.label, name: "PANEL_LAMP")))
        #expect(error?.description.contains("Nearest: PANEL_LAMP") == true)
    }

    @Test func aMissingChipIsToldWithThoseThatAreThere() {
        let error = refusal(.offset(chip: "nowhere", offset: 1))
        guard case .missingChip("nowhere", let existing)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(existing.contains(chip.label))
    }

    @Test func anOffsetBeyondTheChipIsToldWithItsLines() {
        #expect(refusal(address(8)) == .missingOffset(chip: chip.label, offset: 8, lines: 8))
    }
}
