import TestSupport
import Testing

@testable import HostLink

struct LinkNewsTests {
    private func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private func message(_ type: Int, _ payload: [UInt8]) -> [UInt8] {
        let length = 16 + payload.count
        return joined(
            bytes(length, 4), bytes(type, 2), zeros(10), payload, zeros((4 - length % 4) % 4))
    }

    private func attribute(_ type: Int, _ data: [UInt8]) -> [UInt8] {
        joined(bytes(4 + data.count, 2), bytes(type, 2), data, zeros((4 - data.count % 4) % 4))
    }

    private func link(_ index: Int, up: Bool) -> [UInt8] {
        message(
            16, joined([0, 0], bytes(1, 2), bytes(index, 4), bytes(up ? 0x11043 : 0x1003, 4), zeros(4)))
    }

    private func address(_ type: Int, _ last: UInt8, scope: UInt8 = 0) -> [UInt8] {
        message(type, joined([2, 24, 0, scope], bytes(3, 4), attribute(1, [10, 0, 0, last])))
    }

    private func route(_ type: Int, bits: UInt8, via last: UInt8) -> [UInt8] {
        let head: [UInt8] = [2, bits, 0, 0, 254, 3, 0, 1, 0, 0, 0, 0]
        return message(type, joined(head, attribute(4, bytes(3, 4)), attribute(5, [10, 0, 0, last])))
    }

    @Test func anAddressACarrierOrADefaultRouteIsNews() {
        var news = LinkNews()
        #expect(
            [address(20, 1), link(3, up: true), route(24, bits: 0, via: 1)].map { news.hear($0) } == [
                true, true, true,
            ])
    }

    @Test func whatIsRepeatedIsNoNewsUntilItWasGone() {
        var news = LinkNews()
        let heard = [
            address(20, 1), address(20, 1), address(21, 1), address(20, 1), link(3, up: true),
            link(3, up: true),
            link(3, up: false), link(3, up: true), route(24, bits: 0, via: 1), route(24, bits: 0, via: 1),
            route(25, bits: 0, via: 1), route(24, bits: 0, via: 1),
        ].map { news.hear($0) }
        #expect(
            heard == [
                true, false, false, true, true, false, false, true, true, false, false, true,
            ])
    }

    @Test func whatLeadsNowhereIsNoNews() {
        var news = LinkNews()
        let heard = [
            link(3, up: false), address(20, 1, scope: 253), route(24, bits: 24, via: 1),
            message(28, [1, 2, 3]),
        ].map { news.hear($0) }
        #expect(heard == [false, false, false, false])
    }

    @Test func aDatagramMayHoldSeveralMessages() {
        var news = LinkNews()
        let heard = news.hear(link(3, up: false) + route(24, bits: 24, via: 1) + address(20, 1))
        #expect(heard)
    }

    @Test func nothingThatTheSocketGivesStopsTheDevice() {
        var random = SeededGenerator(seed: 5)
        let good = link(3, up: true) + address(20, 1) + route(24, bits: 0, via: 1)
        var news = LinkNews()
        for length in 0...good.count { _ = news.hear(Array(good.prefix(length))) }
        for _ in 0..<50_000 {
            var damaged = good
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            _ = news.hear(damaged)
        }
    }

    /// The kernel gives the socket to anybody, and has nothing new to tell.
    @Test func theSocketIsOpenAndQuiet() {
        var watch = LinkWatch()
        #expect(watch.descriptor >= 0)
        _ = watch.cameUp()
    }
}
