import AllocationCount
import Dispatch
import Hardware
import Synchronization
import TestSupport
import Testing

@testable import ALSAAudio

/// Notes, on the capture thread, how many allocations that thread has made at each call.
private final class CountingSink: AudioSink {
    /// Allocates once in each call, to show that the counter counts.
    let wasteful: Bool
    let counts: Mutex<[Int]>
    let enough = DispatchSemaphore(value: 0)

    init(wasteful: Bool) {
        self.wasteful = wasteful
        var room: [Int] = []
        room.reserveCapacity(10_000)
        counts = Mutex(room)
    }

    func take(_ samples: UnsafeBufferPointer<Int16>) {
        if wasteful { UnsafeMutablePointer<Int>.allocate(capacity: 8).deallocate() }
        let calls = counts.withLock {
            if $0.count < 10_000 { $0.append(lapel_allocations_of_this_thread()) }
            return $0.count
        }
        if calls == 10 { enough.signal() }
    }
}

/// Allocations of the capture thread between the second wake-up and the tenth, readings included.
private func allocations(_ card: Card, wasteful: Bool = false) throws -> Int {
    try card.plays(Tone.sine(300, rate: card.rate, count: 3 * card.rate * card.channels))
    let sink = CountingSink(wasteful: wasteful)
    let opened = DispatchSemaphore(value: 0)
    let microphone = ALSAMicrophone(settings: card.settings { $0.highpass = 70 }, sink: sink) {
        switch $0 {
        case .done, .closed: opened.signal()
        case .failed, .firstFrames, .reading, .fault: break
        }
    }
    for step in [.open, .configure, .start] as [MicrophoneStep] {
        microphone.perform(step)
        opened.wait()
    }
    microphone.perform(.read)
    sink.enough.wait()
    microphone.perform(.close)
    opened.wait()
    let counts = sink.counts.withLock { $0 }
    return counts[9] - counts[1]
}

@Test(arguments: [(16_000, 1, 16), (44_100, 2, 16), (48_000, 2, 32), (48_000, 1, 24)])
func capturingAllocatesNothing(_ rate: Int, _ channels: Int, _ bits: Int) throws {
    let count = try allocations(Card(rate: rate, channels: channels, bits: bits))
    #expect(count == 0)
}

@Test func theCounterCounts() throws {
    let count = try allocations(Card(), wasteful: true)
    #expect(count == 8)
}
