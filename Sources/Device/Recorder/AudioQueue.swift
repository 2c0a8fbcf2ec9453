// Invariants
// 1. One thread writes (capture), one reads (recorder). Each owns one position; the other only reads it.
// 2. A position only grows; the slot of position p is p mod capacity.
// 3. read ≤ written ≤ read + capacity, at every instant seen by either thread.
// 4. A frame that found no room is owed: as many zeros are written before the next frame, so that the
//    recording's time stays true however long the disk stalls.
// 5. offered = written + owed: every sample given to `take` has its place in the stream, with or without room. So a
//    recording is a range of places, and never gets a sample of the one before or after it.

import Hardware
import Synchronization
import Threads

/// The bounded queue between capture thread and recorder: interleaved 16-bit samples.
///
/// `take` copies and returns: it neither blocks nor allocates. It rings `wakeUp` once a second: encoding in one go finds the
/// codec warm once, not four times.
final class AudioQueue: AudioSink {
    /// Rung for the reader; see `samplesPerRing`.
    let wakeUp: WakeUp
    private nonisolated(unsafe) let memory: UnsafeMutableBufferPointer<Int16>
    private let samplesPerRing: Int
    private let offered = Atomic<Int>(0)
    private let written = Atomic<Int>(0)
    private let read = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)
    // The capture thread's own.
    private nonisolated(unsafe) var owed = 0
    private nonisolated(unsafe) var sinceRing = 0

    /// Holds `seconds` of audio.
    init(rate: Int, channels: Int, seconds: Int = 8, wakeUp: WakeUp) {
        self.wakeUp = wakeUp
        memory = .allocate(capacity: rate * channels * seconds)
        memory.initialize(repeating: 0)  // touches every page before the first turn
        samplesPerRing = rate * channels
    }

    deinit { memory.deallocate() }

    /// A place in the stream: between two openings of the microphone it is where one ends and the next begins.
    struct Mark: Equatable, Sendable {
        /// Samples given to `take` before it.
        let position: Int
        /// Of these: found no room; silence stands in their place.
        let dropped: Int
    }

    /// Behind everything given so far. Exact while nothing is captured; during a capture, no later than the truth.
    var mark: Mark {
        let position = offered.load(ordering: .acquiring)
        return Mark(position: position, dropped: dropped.load(ordering: .relaxed))
    }

    /// The reader's place: everything before it was drained or discarded.
    var readPosition: Int { read.load(ordering: .relaxed) }

    func take(_ samples: UnsafeBufferPointer<Int16>) {
        defer { offered.wrappingAdd(samples.count, ordering: .releasing) }
        let start = written.load(ordering: .relaxed)
        let room = memory.count - (start - read.load(ordering: .acquiring))
        let paid = min(owed, room)
        for position in start..<start + paid { memory[position % memory.count] = 0 }
        owed -= paid
        var at = start + paid
        guard owed == 0, samples.count <= room - paid else {
            owed += samples.count
            dropped.wrappingAdd(samples.count, ordering: .relaxed)
            written.store(at, ordering: .releasing)
            wakeUp.ring()
            return
        }
        copy(samples, to: at)
        at += samples.count
        written.store(at, ordering: .releasing)
        sinceRing += at - start
        if sinceRing >= samplesPerRing {
            sinceRing = 0
            wakeUp.ring()
        }
    }

    private func copy(_ samples: UnsafeBufferPointer<Int16>, to position: Int) {
        guard let source = samples.baseAddress, let base = memory.baseAddress else { return }
        let slot = position % memory.count
        let first = min(samples.count, memory.count - slot)
        (base + slot).update(from: source, count: first)
        base.update(from: source + first, count: samples.count - first)
    }

    /// Hands what is there before `limit` to `body`, in at most two pieces, then frees it.
    func drain<E: Error>(
        upTo limit: Int = .max, _ body: (UnsafeBufferPointer<Int16>) throws(E) -> Void
    ) throws(E) {
        let from = read.load(ordering: .relaxed)
        let to = min(written.load(ordering: .acquiring), limit)
        guard from < to else { return }
        defer { read.store(to, ordering: .releasing) }
        let slot = from % memory.count
        let first = min(to - from, memory.count - slot)
        try body(UnsafeBufferPointer(rebasing: memory[slot..<slot + first]))
        if to - from > first {
            try body(UnsafeBufferPointer(rebasing: memory[0..<to - from - first]))
        }
    }

    /// Throws away what is there before `limit`: samples of a turn that has no file.
    func discard(upTo limit: Int = .max) {
        let to = min(written.load(ordering: .acquiring), limit)
        if to > read.load(ordering: .relaxed) { read.store(to, ordering: .releasing) }
    }
}
