import AllocationCount
import Glibc
import Synchronization
import TestSupport
import Testing
import Threads

@testable import Device

@Suite struct AudioQueueTests {
    /// Capacity: `rate` samples, one second of one channel.
    private func queue(_ rate: Int) -> AudioQueue {
        AudioQueue(rate: rate, channels: 1, seconds: 1, wakeUp: WakeUp())
    }

    @Test func samplesComeOutInOrderAcrossTheEndOfTheMemory() {
        let queue = queue(100)
        var next: Int16 = 1
        for _ in 0..<50 {
            let given = (0..<70).map { Int16($0) &+ next }
            next &+= 70
            queue.give(given)
            #expect(queue.drained() == given)
        }
        #expect(queue.mark == AudioQueue.Mark(position: 3500, dropped: 0))
    }

    @Test func anOverflowIsPaidInZerosExactly() {
        let queue = queue(100)
        queue.give([Int16](repeating: 1, count: 60))
        queue.give([Int16](repeating: 2, count: 60))  // no room
        queue.give([Int16](repeating: 3, count: 30))  // 40 of the 60 owed zeros fit, so it does not
        #expect(queue.drained() == [Int16](repeating: 1, count: 60) + [Int16](repeating: 0, count: 40))
        queue.give([Int16](repeating: 4, count: 30))
        #expect(queue.drained() == [Int16](repeating: 0, count: 50) + [Int16](repeating: 4, count: 30))
        #expect(queue.mark == AudioQueue.Mark(position: 180, dropped: 90))
    }

    @Test func aStallLongerThanTheQueueKeepsTheRecordingsTime() {
        let queue = queue(100)
        for second in 1...9 {
            for _ in 0..<10 { queue.give([Int16](repeating: Int16(second), count: 10)) }
        }
        var heard = queue.drained()
        #expect(heard == [Int16](repeating: 1, count: 100))
        while heard.count < 1200 {
            queue.give([Int16](repeating: 10, count: 10))
            heard += queue.drained()
        }
        // 8 s were lost; what came while the zeros for them filled the queue was, too.
        let first = heard.firstIndex(of: 10)
        #expect(first.map { heard[100..<$0].allSatisfy { $0 == 0 } } == true)
        #expect(first.map { $0 % 10 } == 0)
        #expect(heard.count == queue.mark.position)
        #expect(heard.count(where: { $0 == 0 }) == queue.mark.dropped)
    }

    @Test func aDrainStopsAtItsLimit() {
        let queue = queue(100)
        queue.give((0..<80).map { Int16($0) })
        #expect(queue.drained(upTo: 30) == (0..<30).map { Int16($0) })
        #expect(queue.drained(upTo: 30) == [])
        queue.discard(upTo: 50)
        #expect(queue.drained() == (50..<80).map { Int16($0) })
        queue.discard(upTo: 10)
        #expect(queue.readPosition == 80)
    }

    @Test func aDrainThatThrowsFreesWhatItTook() {
        struct Stop: Error {}
        let queue = queue(100)
        queue.give([1, 2, 3])
        #expect(throws: Stop.self) { try queue.drain { _ in throw Stop() } }
        queue.give([4])
        #expect(queue.drained() == [4])
    }

    @Test func theReaderIsRungOnceASecondAndAtAnOverflow() {
        let wakeUp = WakeUp()
        let queue = AudioQueue(rate: 100, channels: 1, seconds: 2, wakeUp: wakeUp)
        queue.give([Int16](repeating: 1, count: 99))
        #expect(!wakeUp.isRung)
        queue.give([1])
        #expect(wakeUp.isRung)
        wakeUp.clear()
        queue.give([Int16](repeating: 1, count: 101))  // room for 100
        #expect(wakeUp.isRung)
    }

    @Test func takingAllocatesNothing() {
        let queue = queue(1000)
        let samples = [Int16](repeating: 1, count: 160)
        queue.give(samples)
        let before = lapel_allocations_of_this_thread()
        for _ in 0..<100 { samples.withUnsafeBufferPointer(queue.take) }  // ten overflow
        #expect(lapel_allocations_of_this_thread() == before)
    }

    /// Against a list that knows no memory limits but the rule: what finds no room is owed.
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func aWalkAgreesWithAPlainList(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let queue = queue(64)
        var (waiting, owed, dropped, position, counter) = ([Int16](), 0, 0, 0, Int16(1))
        var (given, taken) = (0, 0)
        for _ in 0..<4000 {
            if Int.random(in: 0..<100, using: &random) < 70 {
                let samples = (0..<Int.random(in: 1...24, using: &random)).map { counter &+ Int16($0) }
                counter = counter &+ 31
                queue.give(samples)
                given += samples.count
                let paid = min(owed, 64 - waiting.count)
                waiting += [Int16](repeating: 0, count: paid)
                owed -= paid
                if owed == 0, samples.count <= 64 - waiting.count {
                    waiting += samples
                } else {
                    owed += samples.count
                    dropped += samples.count
                }
            } else {
                let limit = taken + Int.random(in: 0...80, using: &random)
                let expected = Array(waiting.prefix(limit - taken))
                waiting.removeFirst(expected.count)
                position += expected.count
                let heard = queue.drained(upTo: limit)
                taken += heard.count
                #expect(heard == expected)
            }
            #expect(queue.mark == AudioQueue.Mark(position: given, dropped: dropped))
            #expect(queue.readPosition == position)
        }
        #expect(dropped > 0)
    }

    @Test func twoThreadsLoseAndInventNothing() {
        let wakeUp = WakeUp()
        let queue = AudioQueue(rate: 4000, channels: 1, seconds: 1, wakeUp: wakeUp)
        let total = 400_000
        let writer = NamedThread("writer") {
            var next = 0
            while next < total {
                let count = min(160, total - next)
                queue.give((next..<next + count).map { Int16($0 % 30_000 + 1) })
                next += count
            }
        }
        var heard: [Int16] = []
        while queue.mark.position < total {
            wakeUp.wait(until: MonotonicClock.now + .milliseconds(20))
            wakeUp.clear()
            heard += queue.drained()
        }
        writer.join()
        heard += queue.drained()
        // Each sample stands in its own place, or a zero does.
        #expect(heard.count <= total)
        let wrong = heard.indices.filter { heard[$0] != 0 && Int(heard[$0]) != $0 % 30_000 + 1 }
        #expect(wrong == [])
        #expect(heard.count(where: { $0 == 0 }) + (total - heard.count) == queue.mark.dropped)
    }
}

extension AudioQueue {
    func give(_ samples: [Int16]) { samples.withUnsafeBufferPointer(take) }

    func drained(upTo limit: Int = .max) -> [Int16] {
        var samples: [Int16] = []
        drain(upTo: limit) { samples += $0 }
        return samples
    }
}

extension WakeUp {
    /// Without waiting.
    var isRung: Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) == 1
    }
}
