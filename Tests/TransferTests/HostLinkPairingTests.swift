import HostLink
import Identity
import Inbox
import Sealing
import TestSupport
import Testing
import Wire

struct HostLinkPairingTests {
    private func url(_ world: ShipperWorld, ports: [UInt16?] = [nil], pin: [UInt8]? = nil) throws
        -> PairingURL
    {
        let token = try world.inbox.makeToken(life: .seconds(600))
        let hosts = try ports.map { try world.address($0) }
        return try #require(PairingURL(hosts: hosts, pin: pin ?? world.hostIdentity.pin, token: token))
    }

    @Test func aGoodTokenMakesTheDeviceKnownAndFindsTheAddress() throws {
        let world = try ShipperWorld(paired: false)
        let url = try url(world, ports: [1, nil])
        let result = try pair(url: url, credentials: world.credentials, deviceName: "wrist")
        #expect(result.answer.hostName == "desk")
        let addresses = [try world.address(), try world.address(1)]
        #expect(result.addresses == addresses)
        #expect(try world.inbox.devices().map(\.name) == ["wrist"])
        #expect(try world.inbox.isPaired(world.deviceIdentity.pinHex))
    }

    @Test func aKeyThatIsHandedOverIsKeptByTheHostBeforeItNamesIt() throws {
        let world = try ShipperWorld(paired: false)
        let own = AgeIdentity.generate()
        let result = try pair(
            url: try url(world), credentials: world.credentials, deviceName: "wrist",
            signingKey: world.signing.publicKeyHex, keys: [own.text])
        #expect(result.answer.recipients == [world.hostKey.recipient, own.recipient].map(\.description))
        #expect(try world.inbox.keys.all().contains { $0.identity.text == own.text })
    }

    @Test func aTokenIsForOneDevice() throws {
        let world = try ShipperWorld(paired: false)
        let other = try ShipperWorld(paired: false)
        let url = try url(world)
        _ = try pair(url: url, credentials: other.credentials, deviceName: "first")
        #expect(throws: HostLinkError.tokenRefused) {
            try pair(url: url, credentials: world.credentials, deviceName: "second")
        }
        #expect(try world.inbox.devices().map(\.name) == ["first"])
    }

    @Test func aStrangerIsToldFromTheHostAndTheTokenIsNotSpent() throws {
        let world = try ShipperWorld(paired: false)
        let wrong = try url(world, pin: Array(repeating: 9, count: 32))
        let error = failure(of: wrong, world)
        guard case .noAnswer(.mistrusted, _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let right = try #require(
            PairingURL(hosts: wrong.hosts, pin: world.hostIdentity.pin, token: wrong.token))
        _ = try pair(url: right, credentials: world.credentials, deviceName: "wrist")
    }

    @Test func aHostThatIsNotThereIsSaidToBeUnreachableAtEveryAddress() throws {
        let world = try ShipperWorld(paired: false)
        let url = try url(world, ports: [1, 2])
        guard case .hostNotReachable(let reason) = failure(of: url, world) else {
            Issue.record("the host was found where there is none")
            return
        }
        #expect(reason.contains("127.0.0.1:1, 127.0.0.1:2"))
    }

    private func failure(of url: PairingURL, _ world: ShipperWorld) -> HostLinkError? {
        do {
            _ = try pair(url: url, credentials: world.credentials, deviceName: "wrist")
            return nil
        } catch {
            return error
        }
    }
}
