import Hardware
import Synchronization
import TestSupport
import Testing
import Threads
import Turn

@testable import Device
@testable import DeviceMachine

@Suite struct EventQueueTests {
    private let queue = EventQueue()

    private func alive(_ milliseconds: Int) -> DeviceEvent {
        .host(.signOfLife(at: .milliseconds(milliseconds)))
    }

    @Test func whatCameLateIsOrderedByTheKernelsTime() {
        for at in [30, 10, 20] { queue.post(alive(at)) }
        #expect(queue.takeAll() == [alive(10), alive(20), alive(30)])
        #expect(queue.takeAll() == [])
    }

    @Test func equalTimesKeepTheOrderOfTheirPosting() {
        let press = DeviceEvent.button(.edge(Edge(down: true, at: .milliseconds(10))))
        let release = DeviceEvent.button(.edge(Edge(down: false, at: .milliseconds(10))))
        for event in [alive(20), press, alive(10), release] { queue.post(event) }
        #expect(queue.takeAll() == [press, alive(10), release, alive(20)])
    }

    @Test func whatHasNoTimeStandsWhereItWasPosted() {
        let room = DeviceEvent.recorder(.room(refusal: nil))
        for event in [alive(20), room, alive(10), .button(.lost("gone"))] { queue.post(event) }
        #expect(queue.takeAll() == [alive(10), .button(.lost("gone")), alive(20), room])
    }

    /// Whether a wait of a minute ends at once.
    private var isHeard: Bool {
        let end = MonotonicClock.now + .seconds(60)
        queue.wait(until: end)
        return MonotonicClock.now < end
    }

    /// Whether a wait ends only because its time is over.
    private var isQuiet: Bool {
        let end = MonotonicClock.now + .milliseconds(1)
        queue.wait(until: end)
        return MonotonicClock.now >= end
    }

    @Test func aWaitEndsWhileSomethingWaits() {
        #expect(isQuiet)
        queue.post(alive(1))
        queue.post(alive(2))
        #expect(isHeard)
        #expect(isHeard, "it was not taken")
        _ = queue.takeAll()
        #expect(isQuiet)
        queue.post(alive(3))
        #expect(isHeard)
    }

    @Test func whatIsPostedWhileEventsAreHandledIsNotSleptOver() {
        queue.post(alive(1))
        let events = queue.takeAll()
        queue.post(alive(2))
        queue.recycle(events)
        #expect(isHeard)
        #expect(queue.takeAll() == [alive(2)])
    }

    @Test func aRingEndsOneWait() {
        queue.ring()
        #expect(queue.takeAll() == [])
        #expect(isHeard)
        #expect(isQuiet)
    }

    @Test func storageIsKeptWhateverTheOrder() {
        for round in 0..<5 {
            for at in [3, 1, 2] { queue.post(alive(at + round)) }
            let events = queue.takeAll()
            #expect(events.capacity >= 1024)
            queue.recycle(events)
        }
    }

    @Test func fourThreadsLoseNothingAndEachKeepsItsOrder() {
        let each = 5000
        let threads = (0..<4).map { thread in
            NamedThread("poster") { [queue] in
                for number in 0..<each {
                    queue.post(.recorder(.finished(UtteranceID("\(thread)"), at: .nanoseconds(number))))
                }
            }
        }
        var seen: [String: [Duration]] = [:]
        var count = 0
        while count < 4 * each {
            queue.wait(until: MonotonicClock.now + .seconds(10))
            let events = queue.takeAll()
            if events.isEmpty { break }
            for event in events {
                guard case .recorder(.finished(let id, let at)) = event else { continue }
                seen[id.rawValue, default: []].append(at)
            }
            count += events.count
            queue.recycle(events)
        }
        for thread in threads { thread.join() }
        #expect(count == 4 * each)
        for (_, stamps) in seen { #expect(stamps == (0..<each).map { .nanoseconds($0) }) }
    }
}
