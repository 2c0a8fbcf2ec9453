import ALSAAudio
import DurableFiles
import GPIOPanel
import Glibc
import Hardware
import Simulator
import Synchronization
import TestSupport
import Testing

@testable import Device
@testable import DeviceSettings
@testable import DeviceTools

/// The whole examination on hardware that a test makes up.
@Suite struct DoctorProbeTests {
    private let folder = TemporaryFolder()

    /// What was done to the hardware, in order.
    private final class Touched: Sendable {
        private let words = Mutex<[String]>([])

        func note(_ word: String) { words.withLock { $0.append(word) } }

        var all: [String] { words.withLock { $0 } }
    }

    private final class NotedOutput: Output {
        private let name: String
        private let touched: Touched

        init(_ name: String, _ touched: Touched) {
            self.name = name
            self.touched = touched
        }

        func set(_ on: Bool) { touched.note("\(name) \(on ? "on" : "off")") }
    }

    private final class StillButton: ButtonSource {
        private let level: Bool?

        init(_ level: Bool?) { self.level = level }

        func start(report: @escaping @Sendable (ButtonEvent) -> Void) {}

        func isDown() -> Bool? { level }
    }

    private final class FullBattery: Battery {
        func read() -> BatteryLevel? { BatteryLevel(percent: 99, isCharged: false) }
    }

    /// A microphone that hears a tone, in whose world two seconds pass as soon as it is read.
    private final class NotedMicrophone: Microphone {
        private let inner: SimulatedMicrophone
        private let touched: Touched

        init(_ touched: Touched, _ report: @escaping @Sendable (MicrophoneEvent) -> Void) {
            self.touched = touched
            inner = SimulatedMicrophone(
                samples: (0..<48_000).map { Int16($0 % 20 < 10 ? 1000 : -1000) }, sink: MicrophoneLog(),
                report: report)
        }

        func perform(_ step: MicrophoneStep) {
            touched.note("card \(step)")
            inner.perform(step)
            if step == .read { inner.advance(by: .seconds(2)) }
        }
    }

    private func hardware(
        _ touched: Touched, permission: MicrophonePermission = .granted, level: Bool? = false
    ) -> DoctorHardware {
        DoctorHardware(
            button: { _ in StillButton(level) }, output: { NotedOutput($0, touched) },
            permission: { _ in permission },
            microphone: { _, _, report in NotedMicrophone(touched, report) }, battery: FullBattery(),
            closed: { _ in [] })
    }

    private func settings(_ change: (inout DeviceSettings) -> Void = { _ in }) -> DeviceSettings {
        var settings = DeviceSettings()
        settings.outboxDirectory = folder.file("outbox")
        settings.lamp = "LAMP"
        settings.motor = "MOTOR"
        change(&settings)
        return settings
    }

    private func examine(_ settings: DeviceSettings, _ hardware: DoctorHardware) -> [Finding] {
        var findings: [Finding] = []
        DoctorProbe(settings: settings, origin: nil, hardware: hardware).examine { findings.append($0) }
        return findings
    }

    private func finding(_ name: String, _ findings: [Finding]) throws -> Finding {
        try #require(findings.first { $0.name == name })
    }

    @Test func everythingIsLookedAtOnceAndEveryTroubleHasItsMending() {
        let findings = examine(settings(), hardware(Touched()))
        #expect(
            findings.map(\.name) == [
                "settings", "device", "permissions", "button", "lamp", "motor", "microphone", "speaker",
                "card", "outbox", "keys", "sealing", "host", "clock", "battery",
            ])
        #expect(findings.allSatisfy { ($0.state == .good) == ($0.mend == nil) })
        #expect(findings.exitCode == 0)
    }

    @Test func theLampIsLitForAsLongAsTheMicrophoneIsOpen() {
        let touched = Touched()
        _ = examine(settings(), hardware(touched))
        #expect(
            touched.all == [
                "LAMP on", "LAMP off", "MOTOR on", "MOTOR off", "LAMP on", "card open", "card configure",
                "card start", "card read", "card close", "LAMP off",
            ])
    }

    @Test func theOpeningStandsInTheJournalAndIsAnnounced() throws {
        let said = Touched()
        DoctorProbe(
            settings: settings(), origin: nil, hardware: hardware(Touched()), announce: { said.note($0) }
        ).examine { _ in }
        #expect(said.all.count == 1 && said.all[0].contains("is opened for 1 s now"))
        let records = try Ledger.records(in: folder.file("outbox/ledger"))
        #expect(records.compactMap { $0["press"]?.string } == ["doctor", "doctor", "doctor"])
    }

    @Test func whereTheJournalCannotBeWrittenTheMicrophoneStaysClosed() throws {
        try folder.write("outbox", [])  // a file in the way of the folder
        let touched = Touched()
        let findings = examine(settings(), hardware(touched))
        #expect(!touched.all.contains { $0.hasPrefix("card") })
        #expect(try finding("microphone", findings).state == .doubtful)
        #expect(try finding("card", findings).state == .faulty)
    }

    @Test(arguments: [
        (MicrophonePermission.denied(remedy: "run `x`."), "may not be opened"),
        (.undetermined(reason: "the card of hw:1 has no microphone."), "no microphone named"),
        (.undetermined(reason: "Its configuration is broken."), "configuration is broken"),
    ])
    func aMicrophoneThatMayNotBeUsedIsNotOpened(permission: MicrophonePermission, words: String) throws {
        let touched = Touched()
        let findings = examine(settings(), hardware(touched, permission: permission))
        #expect(!touched.all.contains { $0.hasPrefix("card") })
        let microphone = try finding("microphone", findings)
        #expect(microphone.state == .faulty && microphone.text.contains(words))
    }

    @Test func whatADriverRefusesIsTold() throws {
        var hardware = hardware(Touched())
        hardware.button = { _ in throw GPIOError.noChip }
        hardware.output = { throw GPIOError.busy(line: $0, consumer: "other") }
        let findings = examine(settings(), hardware)
        #expect(try finding("button", findings).text.contains("no GPIO chip"))
        #expect(try finding("lamp", findings).text == "The GPIO line LAMP is held by other.")
        #expect(findings.exitCode == 1)
    }

    @Test func besideARunningDeviceNothingIsTouched() throws {
        try FileCalls.system.makeFolders(folder.file("outbox"))
        let server = try ControlServer(path: folder.file("outbox/control")) { word in
            switch word {
            case .status:
                DeviceStatus().json(
                    outbox: .init(), pairedHost: nil, foreign: nil, isSealed: true, battery: nil,
                    isSimulated: false)
            case .config: ["button": ["value": "gpio:GPIO5", "origin": "command line"]]
            default: .null
            }
        }
        defer { server.shutDown() }
        let touched = Touched()
        let findings = examine(settings(), hardware(touched))
        #expect(touched.all == [])
        #expect(
            try finding("button", findings).text == "gpio:GPIO5 is held by `lapel run`, and was not touched.")
        #expect(try finding("settings", findings).text == "As the running device has them.")
        #expect(try finding("microphone", findings).state == .good)
    }

    @Test func anInputDeviceThatIsNotThereIsWaitedFor() throws {
        let findings = examine(
            settings { $0.button = .input(path: "/dev/input/nowhere", key: "KEY_RECORD") },
            hardware(Touched(), level: nil))
        let button = try finding("button", findings)
        #expect(button.state == .doubtful && button.text == "There is no input device /dev/input/nowhere.")
    }

    @Test func theProbeOfTheCardLeavesNothingBehind() throws {
        _ = examine(settings(), hardware(Touched()))
        let left = try FileCalls.system.list(folder.file("outbox"))
        #expect(left == ["ledger"])
    }

    // MARK: the network

    @Test func anAddressNeedsNoNameService() throws {
        let places = try NetworkPlace.resolve("127.0.0.1", port: 9)
        #expect(places.map(\.text) == ["127.0.0.1"])
    }

    @Test func aPortThatNobodyHasRefusesAndOneThatSomebodyHasDoesNot() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        #expect(bound)
        let place = try NetworkPlace.resolve("127.0.0.1", port: UInt16(bigEndian: address.sin_port))[0]
        #expect(place.refusal(patience: .seconds(5)) == "connection refused")  // bound, and not listening
        #expect(listen(listener, 1) == 0)
        #expect(place.refusal(patience: .seconds(5)) == nil)
    }

    @Test func aNameThatIsNoneIsNotFound() {
        #expect(
            errorThrown(NetworkPlace.Failure.self) { try NetworkPlace.resolve("no..name", port: 1) } != nil)
    }
}
