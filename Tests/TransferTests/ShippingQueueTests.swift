import Testing
import Wire

@testable import Shipper

struct ShippingQueueTests {
    private let names = (0..<3).compactMap { ItemName(seq: $0, id: String(repeating: "a", count: 32)) }

    @Test func theOldestIsFirst() {
        var queue = ShippingQueue()
        let next = queue.next(names, now: .zero)
        #expect(next == .deliver(names[0]))
    }

    @Test func anEmptyOutboxIsNothingToDo() {
        var queue = ShippingQueue()
        let next = queue.next([], now: .zero)
        #expect(next == .nothing)
    }

    @Test func anItemThatWaitsDoesNotHoldUpTheOthers() {
        var queue = ShippingQueue()
        let wait = queue.waits(names[0], .locked, retryAfter: .seconds(9), now: .zero, random: 0)
        #expect(wait.wait == .seconds(9) && !wait.concernsHost)
        let first = queue.next(names, now: .zero)
        #expect(first == .deliver(names[1]))
        let alone = queue.next([names[0]], now: .zero)
        #expect(alone == .sleep(until: .seconds(9)))
        let later = queue.next([names[0]], now: .seconds(9))
        #expect(later == .deliver(names[0]))
    }

    @Test func anUnreachableHostHoldsUpEverythingAndKeepsTheOrder() {
        var queue = ShippingQueue()
        let (wait, _) = queue.waits(names[0], .unreachable, retryAfter: nil, now: .zero, random: 0)
        let now = queue.next(names, now: .zero)
        let later = queue.next(names, now: wait)
        #expect(now == .sleep(until: wait))
        #expect(later == .deliver(names[0]))
    }

    @Test func anItemThatMakesTheHostStumbleWaitsAlone() {
        var queue = ShippingQueue()
        let stumbled = queue.waits(
            names[0], .notNow(status: 500), retryAfter: .seconds(30), now: .zero, random: 0)
        #expect(!stumbled.concernsHost && stumbled.wait >= .seconds(30))
        let next = queue.next(names, now: .zero)
        #expect(next == .deliver(names[1]))
        queue.hostAnswered()
        let meanwhile = queue.next([names[0]], now: .zero)
        let last = queue.next([names[0]], now: stumbled.wait)
        #expect(meanwhile == .sleep(until: stumbled.wait) && last == .deliver(names[0]))
    }

    @Test func aHostThatStumblesOverTwoIsNotWell() {
        var queue = ShippingQueue()
        _ = queue.waits(names[0], .notNow(status: 500), retryAfter: nil, now: .zero, random: 0)
        let second = queue.waits(names[1], .notNow(status: 500), retryAfter: nil, now: .zero, random: 0)
        #expect(second.concernsHost)
        let next = queue.next(names, now: .zero)
        #expect(next == .sleep(until: second.wait))
    }

    @Test(arguments: [429, 502, 503, 302]) func aHostThatIsBusyIsSoForEverything(status: Int) {
        var queue = ShippingQueue()
        let busy = queue.waits(
            names[0], .notNow(status: status), retryAfter: .seconds(9), now: .zero, random: 0)
        #expect(busy.concernsHost)
        let next = queue.next(names, now: .zero)
        #expect(next == .sleep(until: busy.wait))
    }

    @Test func mistrustStopsEverythingUntilAReset() {
        var queue = ShippingQueue()
        queue.mistrust()
        let stopped = queue.next(names, now: .seconds(1_000_000))
        #expect(stopped == .mistrusted)
        queue.reset()
        let again = queue.next(names, now: .zero)
        #expect(again == .deliver(names[0]))
    }

    @Test func aResetForgetsEveryWait() {
        var queue = ShippingQueue()
        _ = queue.waits(names[0], .cut, retryAfter: nil, now: .zero, random: 0)
        _ = queue.waits(names[1], .unreachable, retryAfter: nil, now: .zero, random: 0)
        queue.reset()
        #expect(queue == ShippingQueue())
    }
}
