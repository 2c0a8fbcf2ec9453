import DurableFiles
import Hardware
import Testing
import Turn

@testable import Device
@testable import DeviceSettings
@testable import DeviceTools

/// What was found, judged: facts in, lines out.
@Suite struct DoctorFindingTests {
    private static let refusal = Obstacle("It is not there.", mend: "Plug it in.")

    private func heard(
        _ levels: [Double], clipped: Int = 0, overruns: Int = 0, format: String = "S16_LE 48000 Hz 1 channel"
    ) -> Finding {
        MicrophoneFacts.heard(.init(format: format, levels: levels, clipped: clipped, overruns: overruns))
            .finding("hw:1")
    }

    // MARK: the line itself

    @Test func aLineIsItsMarkItsNameTheFactAndWhatToDo() {
        #expect(Finding.good("card", "Fine.").line(isColoured: false) == "✓ card         Fine.")
        #expect(
            Finding.doubtful("clock", "Late.", mend: "Set it.").line(isColoured: false)
                == "! clock        Late. Set it.")
        #expect(
            Finding.faulty("button", Self.refusal).line(isColoured: false)
                == "✗ button       It is not there. Plug it in.")
    }

    @Test func onlyAFaultFailsTheCommand() {
        let good = Finding.good("a", "b")
        let doubtful = Finding.doubtful("a", "b", mend: "c")
        #expect([good, doubtful].exitCode == 0)
        #expect([good, Finding.faulty("a", Self.refusal), doubtful].exitCode == 1)
    }

    @Test func machinesReadNameStateTextAndMend() {
        #expect(
            Finding.doubtful("clock", "Late.", mend: "Set it.").json.text
                == #"{"name":"clock","state":"warning","text":"Late.","mend":"Set it."}"#)
        #expect(Finding.good("a", "b").json["mend"]?.isNull == true)
    }

    // MARK: the board

    @Test(arguments: [
        (LineFacts.here(isDown: false), Finding.State.good), (.here(isDown: true), .doubtful),
        (.here(isDown: nil), .faulty), (.held, .good), (.simulated, .good),
        (.refused(Self.refusal), .faulty), (.absent(Self.refusal), .doubtful),
    ])
    func aButton(line: LineFacts, state: Finding.State) {
        #expect(BoardFacts.button("gpio:GPIO17", line).state == state)
    }

    @Test func aLampThatIsNotSetIsToldAndAMotorThatIsNotSetIsNothing() {
        #expect(BoardFacts.lamp(nil, .none).state == .doubtful)
        #expect(BoardFacts.motor(nil, .none).state == .good)
        #expect(BoardFacts.lamp("GPIO27", .refused(Self.refusal)).state == .faulty)
        #expect(BoardFacts.motor("GPIO22", .held).text.contains("not touched"))
    }

    // MARK: the microphone

    @Test(arguments: [
        ([-60.0, -58, -61, -40], Finding.State.good), ([-120, -120, -120], .faulty),
        ([-30, -31, -29], .doubtful), ([-88, -90, -89], .doubtful), ([], .faulty),
    ])
    func aSecondOfSound(levels: [Double], state: Finding.State) {
        #expect(heard(levels).state == state)
    }

    @Test func itsLevelIsTheLoudestAndItsFloorTheSecondQuietest() {
        let finding = heard([-60, -120, -58, -61, -40])
        #expect(finding.text.contains("level −40 dBFS, noise floor −61 dBFS, by S16_LE 48000 Hz 1 channel"))
    }

    @Test func overdriveAndLossAreTold() {
        #expect(heard([-40, -50, -45], clipped: 7).text.contains("7 samples at full scale"))
        #expect(heard([-40, -50, -45], overruns: 2).state == .doubtful)
    }

    @Test func besideARunningDeviceItIsClosedAndNotMeasured() {
        #expect(MicrophoneFacts.held(isOpen: false).finding("hw:1").text.contains("was not opened"))
        #expect(MicrophoneFacts.held(isOpen: true).finding("hw:1").state == .good)
        #expect(MicrophoneFacts.unopened(Self.refusal).finding("hw:1").state == .doubtful)
    }

    @Test(arguments: [
        MicrophoneFault.missing(device: "m"), .denied(device: "m", remedy: "run `x`."),
        .busy(device: "m", holder: nil), .unsupported(device: "m", offered: "U8"), .unplugged(device: "m"),
        .noSignal(device: "m"), .failed(device: "m", operation: "be read", reason: "no"),
    ])
    func everyFaultOfAMicrophoneHasItsMending(fault: MicrophoneFault) {
        let refusal = Obstacle(fault)
        #expect(refusal.text.contains("The microphone m") || refusal.text.contains("named m"))
        #expect(refusal.mend.count > 5)
    }

    // MARK: who may what

    @Test func somebodyElsesOutboxIsAFaultExceptForRoot() {
        func facts(isRoot: Bool) -> PermissionFacts {
            PermissionFacts(user: isRoot ? "root" : "ann", isRoot: isRoot, owner: "lapel", closed: [])
        }
        #expect(facts(isRoot: true).finding.state == .doubtful && !facts(isRoot: true).mayWrite)
        #expect(facts(isRoot: false).finding.state == .faulty)
        #expect(facts(isRoot: false).finding.mend?.contains("sudo -u lapel lapel doctor") == true)
        #expect(facts(isRoot: true).mayRead && !facts(isRoot: false).mayRead)
    }

    @Test func aFileThatMayNotBeReadIsNotTakenForADamagedOne() {
        let denied = Obstacle(ofFile: DurableFileError(.open, "/o/host.json", 13), mend: "Pair again.")
        #expect(denied.text == "Could not open /o/host.json: Permission denied.")
        #expect(denied.mend.contains("sudo chown") && !denied.mend.contains("Pair"))
        let damaged = PairedHostFile.Damaged(path: "/o/host.json", reason: "no pin")
        #expect(Obstacle(ofFile: damaged, mend: "Pair again.").mend == "Pair again.")
    }

    @Test func aClosedDeviceFileIsToldWithItsCommand() {
        let closed = PermissionFacts.Closed(path: "/dev/gpiochip0", remedy: "run `sudo usermod`")
        let facts = PermissionFacts(user: "ann", isRoot: false, owner: nil, closed: [closed])
        #expect(facts.finding.state == .faulty && facts.finding.mend == "run `sudo usermod`")
    }

    // MARK: clock and battery

    @Test(arguments: [
        (Bool?.some(true), 1_790_000_000, Finding.State.good), (nil, 1_790_000_000, .good),
        (false, 1_790_000_000, .doubtful), (true, 3600, .doubtful),
    ])
    func aClock(isSynchronised: Bool?, wall: Int, state: Finding.State) {
        let facts = ClockFacts(isSynchronised: isSynchronised, wall: .seconds(wall), words: "then")
        #expect(facts.finding.state == state)
    }

    @Test(arguments: [
        (5, false, Finding.State.faulty), (6, false, .doubtful), (15, false, .doubtful), (16, false, .good),
        (3, true, .good),
    ])
    func aBattery(percent: Int, isCharged: Bool, state: Finding.State) {
        let level = BatteryLevel(percent: percent, isCharged: isCharged)
        #expect(BatteryFacts(level: level).finding.state == state)
        #expect(BatteryFacts(level: nil).finding.state == .good)
    }
}
