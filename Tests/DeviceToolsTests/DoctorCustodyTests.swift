import Testing

@testable import Device
@testable import DeviceSettings
@testable import DeviceTools

/// Card, outbox, keys, host and the running device, judged.
@Suite struct DoctorCustodyTests {
    private static let refusal = Obstacle("It is not there.", mend: "Plug it in.")

    // MARK: the card

    private func card(
        free: Int, total: Int = 16_000_000_000, write: CardFacts.Write = .took([.milliseconds(12)]),
        errors: Int? = 0, used: Int? = nil
    ) -> Finding {
        CardFacts(
            path: "/card", space: (free, total), reserve: 0.05, bytesPerSecond: 3000, write: write,
            errors: errors, used: used
        ).finding
    }

    @Test func aCardSaysWhatItHoldsAndHowFastItIs() {
        #expect(
            card(free: 8_000_000_000).text
                == "8.0 GB free of 16 GB, 800 MB of them kept free, room for 27 days of speech; 64 KiB are on the card after 12.0 ms."
        )
        #expect(card(free: 815_000_000).text.contains("room for 83 min of speech"))
    }

    @Test func aCardWithoutRoomBeyondTheReserveIsAFault() {
        #expect(card(free: 800_000_000).state == .faulty)
        #expect(card(free: 802_000_000).state == .good)
    }

    @Test func aCardThatTakesNothingIsAFault() {
        #expect(card(free: 8_000_000_000, write: .refused(Self.refusal)).state == .faulty)
    }

    @Test func aSlowAWornAndAnErringCardAreTold() {
        #expect(card(free: 8_000_000_000, write: .took([.milliseconds(3), .seconds(2)])).state == .doubtful)
        #expect(card(free: 8_000_000_000, used: 90).state == .doubtful)
        #expect(card(free: 8_000_000_000, used: 80).state == .good)
        #expect(card(free: 8_000_000_000, errors: 3).text.contains("counted 3 errors"))
        #expect(card(free: 8_000_000_000, errors: nil).state == .good)
    }

    @Test func somebodyElsesCardIsNotWrittenTo() {
        let finding = card(free: 8_000_000_000, write: .notTried)
        #expect(finding.state == .good && !finding.text.contains("64 KiB"))
    }

    @Test func aCardThatDoesNotTellItsRoomIsToldSo() {
        let facts = CardFacts(
            path: "/card", space: nil, reserve: 0.05, bytesPerSecond: 3000, write: .took([]), errors: nil,
            used: nil)
        #expect(facts.finding.state == .doubtful)
    }

    // MARK: the outbox

    @Test(arguments: [
        (OutboxFacts(), Finding.State.good), (OutboxFacts(isPaired: false), .good),
        (OutboxFacts(waiting: 3, bytes: 9000), .good),
        (OutboxFacts(waiting: 1, bytes: 9000, isPaired: false), .doubtful),
        (OutboxFacts(waiting: 2, parked: 1), .doubtful), (OutboxFacts(waiting: 2, heldBack: 2), .doubtful),
        (OutboxFacts(waiting: 9, refusal: "It is full."), .faulty),
        (OutboxFacts(unreadable: Self.refusal), .faulty),
    ])
    func anOutbox(facts: OutboxFacts, state: Finding.State) {
        #expect(facts.finding.state == state)
    }

    @Test func oneWaitsAndTwoWait() {
        #expect(OutboxFacts(waiting: 1, bytes: 9000).finding.text == "1 recording waits (9 kB).")
        #expect(OutboxFacts(waiting: 2, bytes: 18_000).finding.text == "2 recordings wait (18 kB).")
    }

    // MARK: the keys

    @Test(arguments: [
        (KeyFacts.Keys.absent, Finding.State.good), (.whole, .good), (.broken(Self.refusal), .faulty),
        (.moved, .doubtful),
    ])
    func keys(keys: KeyFacts.Keys, state: Finding.State) {
        let facts = KeyFacts(keys: keys, seals: true, recipient: .own)
        #expect(facts.findings[0].name == "keys" && facts.findings[0].state == state)
    }

    @Test(arguments: [
        (KeyFacts.Recipient.own, Finding.State.good),
        (.host(name: "desk", key: "age1qqqqqqqqqqqqqqqq"), .good),
        (.hostWithoutKey(name: "desk"), .doubtful), (.broken(Self.refusal), .faulty),
    ])
    func sealing(recipient: KeyFacts.Recipient, state: Finding.State) {
        let facts = KeyFacts(keys: .whole, seals: true, recipient: recipient)
        #expect(facts.findings[1].name == "sealing" && facts.findings[1].state == state)
    }

    @Test func sealingThatIsOffIsTold() {
        let facts = KeyFacts(keys: .whole, seals: false, recipient: .own)
        #expect(facts.findings[1].state == .doubtful && facts.findings[1].text.contains("in the clear"))
    }

    // MARK: the host

    private static let found = "192.168.1.20"

    @Test(arguments: [
        (HostFacts.End.answers(found: found, after: .milliseconds(21)), Finding.State.good),
        (.noName("Name or service not known"), .doubtful),
        (.noPort(found: found, reason: "connection refused"), .doubtful),
        (.noTLS(found: found, reason: "cut"), .doubtful), (.stranger(found: found), .faulty),
        (.notKnown(found: found), .faulty), (.noHost(found: found, status: 404), .faulty),
    ])
    func theWayToAHost(end: HostFacts.End, state: Finding.State) {
        let facts = HostFacts.paired(name: "desk", tries: [.init(address: "desk.local:8443", end: end)])
        #expect(facts.finding.state == state)
        #expect(facts.finding.text.hasPrefix("desk"))
        #expect(state == .good || (facts.finding.mend ?? "").count > 5)
    }

    @Test func oneAddressThatAnswersIsEnough() {
        let facts = HostFacts.paired(
            name: "desk",
            tries: [
                .init(address: "desk.local:8443", end: .noName("unknown")),
                .init(address: "10.0.0.2:8443", end: .answers(found: "10.0.0.2", after: .milliseconds(9))),
            ])
        #expect(facts.finding.state == .good)
        #expect(facts.finding.text.contains("TLS, the paired key; it answers after 9 ms"))
    }

    @Test func amongSeveralTheFarthestWayIsJudgedAndAllAreTold() {
        let facts = HostFacts.paired(
            name: "desk",
            tries: [
                .init(address: "a:8443", end: .noName("unknown")),
                .init(address: "b:8443", end: .stranger(found: Self.found)),
            ])
        #expect(facts.finding.state == .faulty)
        #expect(facts.finding.text.contains("a:8443: the name is not found"))
        #expect(facts.finding.mend?.contains("pair again") == true)
    }

    @Test func withoutAHostRecordingsStay() {
        #expect(HostFacts.unpaired.finding.state == .doubtful)
        #expect(HostFacts.foreign("https://tus.example/files").finding.state == .good)
        #expect(HostFacts.broken(Self.refusal).finding.state == .faulty)
        #expect(HostFacts.paired(name: "desk", tries: []).finding.state == .faulty)
    }

    // MARK: the running device

    @Test(arguments: [
        (RunningFacts.none, Finding.State.doubtful), (.running(RunningDevice()), .good),
        (.silent(reason: "Permission denied.", owner: "lapel"), .doubtful),
        (.running(RunningDevice(version: "0.0.1")), .doubtful),
        (.running(RunningDevice(stoppedBy: "no reply")), .doubtful),
    ])
    func aRunningDevice(facts: RunningFacts, state: Finding.State) {
        #expect(facts.finding.state == state)
    }

    @Test func itsStatusIsUnderstood() {
        var status = DeviceStatus()
        status.refusal = "It is full."
        status.microphoneOpen = true
        let json = status.json(
            outbox: .init(), pairedHost: nil, foreign: nil, isSealed: true, battery: nil, isSimulated: true)
        let device = RunningDevice(status: json)
        #expect(device.version == lapelVersion && device.isMicrophoneOpen && device.isSimulated)
        #expect(device.refusal == "It is full." && device.phase == "off")
    }
}
