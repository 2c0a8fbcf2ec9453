import Foundation
import Inbox
import LocalInbox
import Synchronization
import TestSupport
import Testing
import Wire

/// A clock that stands until it is moved.
final class HandClock: Sendable {
    private let instant: Mutex<HostInstant>

    init(wall: Int64 = 1_800_000_000_000_000_000) {
        instant = Mutex(HostInstant(boot: 1_000_000_000, bootID: "this-boot", wall: wall))
    }

    var clock: HostClock { HostClock { [self] in instant.withLock { $0 } } }

    func advance(seconds: Int64) {
        instant.withLock {
            $0.boot += seconds * 1_000_000_000
            $0.wall += seconds * 1_000_000_000
        }
    }

    func reboot() {
        instant.withLock {
            $0.boot = 0
            $0.bootID += "'"
        }
    }

    func setWall(_ wall: Int64) { instant.withLock { $0.wall = wall } }
}

@Suite struct InboxDeviceTests {
    let folder = TemporaryFolder()
    let hand = HandClock()

    private func inbox() throws -> Inbox { try Inbox(folder: folder.path, clock: hand.clock) }

    @Test func aTokenPairsOneDevice() throws {
        let inbox = try inbox()
        let token = try inbox.makeToken(life: .seconds(600))
        #expect(try inbox.pair(token: token, pin: Part.wrist, name: "wrist", signingKey: nil))
        #expect(try !inbox.pair(token: token, pin: Part.lapel, name: "lapel", signingKey: nil))
        #expect(try inbox.devices().map(\.name) == ["wrist"])
    }

    @Test func theSameDeviceMayRepeatItsPairing() throws {
        let inbox = try inbox()
        let token = try inbox.makeToken(life: .seconds(600))
        for _ in 0..<2 {
            #expect(try inbox.pair(token: token, pin: Part.wrist, name: "wrist", signingKey: nil))
        }
        #expect(try inbox.devices().count == 1)
    }

    @Test(arguments: [(599, true), (600, true), (601, false)])
    func aTokenIsValidForItsTime(seconds: Int64, valid: Bool) throws {
        let inbox = try inbox()
        let token = try inbox.makeToken(life: .seconds(600))
        hand.advance(seconds: seconds)
        #expect(try inbox.pair(token: token, pin: Part.wrist, name: "wrist", signingKey: nil) == valid)
    }

    @Test func aJumpOfTheWallClockEndsNoToken() throws {
        let inbox = try inbox()
        let token = try inbox.makeToken(life: .seconds(600))
        hand.setWall(0)
        #expect(try inbox.pair(token: token, pin: Part.wrist, name: "wrist", signingKey: nil))
    }

    @Test func aRebootEndsEveryToken() throws {
        let inbox = try inbox()
        let token = try inbox.makeToken(life: .seconds(600))
        hand.reboot()
        #expect(try !inbox.pair(token: token, pin: Part.wrist, name: "wrist", signingKey: nil))
    }

    @Test func anUnknownTokenPairsNobody() throws {
        let inbox = try inbox()
        _ = try inbox.makeToken(life: .seconds(600))
        #expect(
            try !inbox.pair(
                token: [UInt8](repeating: 7, count: 16), pin: Part.wrist, name: "wrist", signingKey: nil))
        #expect(try !inbox.isPaired(Part.wrist))
    }

    @Test func aTokenIsNowhereInTheFolder() throws {
        let inbox = try inbox()
        let token = try inbox.makeToken(life: .seconds(600))
        let text = Data(Hex.encode(token).utf8)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            guard let bytes = FileManager.default.contents(atPath: folder.file(name)) else { continue }
            #expect(bytes.range(of: Data(token)) == nil)
            #expect(bytes.range(of: text) == nil)
        }
    }

    @Test func anotherProgramSeesATokenAtOnce() throws {
        let token = try inbox().makeToken(life: .seconds(600))
        #expect(try inbox().pair(token: token, pin: Part.wrist, name: "wrist", signingKey: nil))
    }

    @Test func aRemovedDeviceIsUnknownAndItsUtterancesStay() throws {
        let inbox = try inbox()
        try inbox.addDevice(pin: Part.wrist, name: "wrist")
        try inbox.receive(Part.audio(1))
        #expect(try inbox.removeDevice(pin: Part.wrist))
        #expect(try !inbox.isPaired(Part.wrist))
        #expect(try inbox.utterances().count == 1)
    }

    @Test func aBootTimeBecomesUTCByTheQuickestContact() throws {
        let inbox = try inbox()
        // The device's boot began 100 s before the host's clock stood at `wall`; one request took 3 s, one none.
        let wall: Int64 = 1_800_000_000_000_000_000
        inbox.noteContact(
            device: Part.wrist, clock: LapelClock(bootID: "b", boot: 97_000_000_000, monotonic: 0))
        inbox.noteContact(
            device: Part.wrist, clock: LapelClock(bootID: "b", boot: 100_000_000_000, monotonic: 0))
        try inbox.storeContacts()
        let time = try inbox.time(ofBoot: 40_000_000_000, bootID: "b", device: Part.wrist)
        #expect(time?.utc == wall - 60_000_000_000)
        #expect(time?.uncertainty == 3_000_000_000)
    }

    @Test func aBootWithoutContactHasNoTime() throws {
        #expect(try inbox().time(ofBoot: 1, bootID: "b", device: Part.wrist) == nil)
    }

    @Test func contactsAreStoredWithTheNextCommit() throws {
        let inbox = try inbox()
        try inbox.addDevice(pin: Part.wrist, name: "wrist")
        inbox.noteContact(device: Part.wrist, clock: LapelClock(bootID: "b", boot: 5, monotonic: 0))
        #expect(try inbox.devices().first?.lastSeen == nil)
        try inbox.receive(Part.audio(1))
        #expect(try inbox.devices().first?.lastSeen == 1_800_000_000_000)
    }
}
