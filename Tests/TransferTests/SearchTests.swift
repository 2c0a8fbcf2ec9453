import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import HostLink
@testable import Shipper

/// Finding a host that has moved while the device was away.
struct SearchTests {
    private struct Memory: Sendable {
        let kept = Box()
        final class Box: Sendable { let addresses = Mutex<[HostAddress]>([]) }
        var memory: AddressMemory {
            let kept = kept
            return AddressMemory(
                recall: { _ in kept.addresses.withLock { $0.last } },
                keep: { _, address in kept.addresses.withLock { $0.append(address) } })
        }
        var all: [HostAddress] { kept.addresses.withLock { $0 } }
    }

    @Test func aSilentPlaceDoesNotHoldUpTheNext() throws {
        let world = try ShipperWorld()
        let deaf = Relay(
            to: world.server.address.port, rules: (0..<9).map { _ in .init(isDeaf: true) })
        try world.pair(ports: [deaf.port, nil])
        let item = try world.record(noise(300_000))
        let memory = Memory()
        let before = ContinuousClock.now
        let shipper = world.ship(ways: .init(memory: memory.memory))
        #expect(world.events.waitForIdle())
        // The silent one would be given up after 10 s.
        #expect(ContinuousClock.now - before < .seconds(8))
        shipper.shutDown()
        deaf.stop()
        #expect(try world.stored(item) == noise(300_000))
        #expect(try memory.all == [world.address()])
        #expect(deaf.count == 1)
    }

    @Test func aHostThatMovedIsFoundByTheNetworkAndRemembered() throws {
        let world = try ShipperWorld()
        let responder = Responder(port: world.server.address.port, pin: world.hostIdentity.pin)
        try world.pair(ports: [1])
        let item = try world.record(noise(1_000))
        let memory = Memory()
        let discovery = Discovery.responder(address: "127.0.0.1", port: responder.port)
        let shipper = world.ship(ways: .init(memory: memory.memory, discovery: discovery))
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        #expect(world.events.kinds == ["rung", "stored", "let go", "idle"])
        #expect(try world.stored(item) == noise(1_000))
        #expect(try memory.all == [world.address()])
        // The next start goes there without asking anybody.
        let asked = responder.questions
        try world.record(noise(1_000, seed: 2))
        let second = world.ship(ways: .init(memory: memory.memory, discovery: discovery))
        #expect(world.events.waitForIdle(2))
        second.shutDown()
        responder.stop()
        #expect(responder.questions == asked)
        #expect(memory.all.count == 1)
    }

    /// Whoever is in the network may announce anything: that neither gets a recording nor stops the device.
    @Test(arguments: [true, false]) func aStrangerThatAnnouncesItselfIsPassedOver(saysOurPin: Bool) throws {
        let world = try ShipperWorld()
        let other = try ShipperWorld()
        let responder = Responder(
            port: other.server.address.port,
            pin: saysOurPin ? world.hostIdentity.pin : other.hostIdentity.pin)
        try world.pair(ports: [1])
        let item = try world.record(noise(1_000))
        let shipper = world.ship(
            ways: .init(discovery: .responder(address: "127.0.0.1", port: responder.port)))
        #expect(world.events.wait { !$0.isEmpty })
        shipper.shutDown()
        responder.stop()
        #expect(world.events.kinds.first == "unreachable")
        #expect(other.hostLog.isEmpty)
        #expect(world.outbox.waiting() == [item])
    }

    @Test func aStrangerAtANamedPlaceDoesNotHideTheHostAtAnother() throws {
        let world = try ShipperWorld()
        let other = try ShipperWorld()
        try world.pair(ports: [other.server.address.port, nil])
        let item = try world.record(noise(1_000))
        let shipper = world.ship()
        #expect(world.events.waitForIdle())
        shipper.shutDown()
        #expect(try world.stored(item) == noise(1_000))
    }

    @Test func aPairingFindsAHostThatTheURLNamesWrongly() throws {
        let world = try ShipperWorld(paired: false)
        let responder = Responder(port: world.server.address.port, pin: world.hostIdentity.pin)
        let token = try world.inbox.makeToken(life: .seconds(600))
        let url = try #require(
            PairingURL(hosts: [try world.address(1)], pin: world.hostIdentity.pin, token: token))
        let result = try pair(
            url: url, credentials: world.credentials, deviceName: "wrist",
            discovery: .responder(address: "127.0.0.1", port: responder.port))
        responder.stop()
        #expect(try result.addresses == [world.address(), world.address(1)])
    }

    @Test func aNetworkThatTakesNothingFindsNothing() {
        let search = Search(
            .responder(address: "no address", port: 5353), pin: [UInt8](repeating: 1, count: 32), places: [],
            now: .zero)
        #expect(search.descriptor == -1)
        #expect(search.isOver(now: .zero) && search.advance(now: .zero).isEmpty)
    }
}

/// Answers multicast DNS questions on a port of the loopback, as a host's Avahi does.
final class Responder: @unchecked Sendable {
    let port: UInt16
    private let descriptor: Int32
    private let lock = NSLock()
    private var count = 0

    var questions: Int {
        lock.lock()
        defer { lock.unlock() }
        return count
    }

    /// - Parameter port: of the host's service, at 127.0.0.1.
    init(port hostPort: UInt16, pin: [UInt8]) {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                precondition(bind(descriptor, address, size) == 0)
                getsockname(descriptor, address, &size)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 9_000)
            while true {
                var from = sockaddr_in()
                var size = socklen_t(MemoryLayout<sockaddr_in>.size)
                let count = withUnsafeMutablePointer(to: &from) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        recvfrom(descriptor, &buffer, buffer.count, 0, $0, &size)
                    }
                }
                guard count > 0 else { break }
                lock.lock()
                self.count += 1
                lock.unlock()
                let answer = Self.answer(Array(buffer.prefix(2)), hostPort, pin)
                withUnsafePointer(to: &from) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        _ = sendto(descriptor, answer, answer.count, 0, $0, size)
                    }
                }
            }
            close(descriptor)
        }
    }

    /// A datagram of no bytes ends the thread.
    func stop() {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let sender = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(sender, nil, 0, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        close(sender)
    }

    private static func answer(_ id: [UInt8], _ port: UInt16, _ pin: [UInt8]) -> [UInt8] {
        func name(_ labels: String...) -> [UInt8] {
            labels.flatMap { label -> [UInt8] in [UInt8(label.utf8.count)] + Array(label.utf8) } + [0]
        }
        func record(_ name: [UInt8], _ type: UInt8, _ data: [UInt8]) -> [UInt8] {
            let head: [UInt8] = [0, type, 0, 1, 0, 0, 0, 10, 0, UInt8(data.count)]
            return name + head + data
        }
        let instance = name("Lapel desk", "_lapel", "_tcp", "local")
        let host = name("desk", "local")
        let text = Array("pin=\(Hex.encode(pin).prefix(16))".utf8)
        let port = [UInt8(port >> 8), UInt8(port & 255)]
        var message = id
        message += [0x84, 0, 0, 0, 0, 1, 0, 0, 0, 3]
        message += record(name("_lapel", "_tcp", "local"), 12, instance)
        var place: [UInt8] = [0, 0, 0, 0]
        place += port
        place += host
        message += record(instance, 33, place)
        message += record(instance, 16, [UInt8(text.count)] + text)
        message += record(host, 1, [127, 0, 0, 1])
        return message
    }
}
