import Dispatch
import Hardware
import Synchronization

/// What a microphone reported and captured, for a test that waits for facts instead of time.
///
/// One reader: `next` and `until` hand out each event once, in the order of the reports.
package final class MicrophoneLog: AudioSink {
    private struct State {
        var events: [MicrophoneEvent] = []
        var read = 0
        var samples: [Int16] = []
        /// Samples that the sink had when each event was reported.
        var samplesAtEvent: [Int] = []
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)

    package init() {}

    package func take(_ samples: UnsafeBufferPointer<Int16>) {
        state.withLock { $0.samples.append(contentsOf: samples) }
    }

    /// To be given to the microphone as its `report`.
    package func report(_ event: MicrophoneEvent) {
        state.withLock {
            $0.events.append(event)
            $0.samplesAtEvent.append($0.samples.count)
        }
        arrived.signal()
    }

    /// Waits for the next event. Nil after 30 s without one: the test has failed then.
    package func next() -> MicrophoneEvent? { next(before: .now() + 30) }

    private func next(before deadline: DispatchTime) -> MicrophoneEvent? {
        guard arrived.wait(timeout: deadline) == .success else { return nil }
        return state.withLock {
            $0.read += 1
            return $0.events[$0.read - 1]
        }
    }

    /// Waits for an event that fits, passing over others. Nil after 30 s: the test has failed then.
    @discardableResult
    package func until(_ fits: (MicrophoneEvent) -> Bool) -> MicrophoneEvent? {
        let deadline = DispatchTime.now() + 30
        while let event = next(before: deadline) {
            if fits(event) { return event }
        }
        return nil
    }

    /// Waits for reading `index`.
    @discardableResult
    package func untilReading(_ index: Int) -> LevelReading? {
        let event = until { if case .reading(let reading) = $0 { reading.index >= index } else { false } }
        guard case .reading(let reading)? = event else { return nil }
        return reading
    }

    /// Waits for the end of the opening.
    @discardableResult
    package func untilClosed() -> CaptureSummary? {
        guard case .closed(let summary, _)? = until({ if case .closed = $0 { true } else { false } }) else {
            return nil
        }
        return summary
    }

    /// Waits for the answer to a step before `read`; true when it is `done`.
    @discardableResult
    package func isDone(_ step: MicrophoneStep) -> Bool {
        let answer = until {
            switch $0 {
            case .done(step, _), .failed(step, _, _): true
            case .done, .failed, .firstFrames, .reading, .fault, .closed: false
            }
        }
        if case .done? = answer { return true }
        return false
    }

    /// All events so far, read or not.
    package var events: [MicrophoneEvent] { state.withLock { $0.events } }
    package var readings: [LevelReading] {
        events.compactMap { if case .reading(let reading) = $0 { reading } else { nil } }
    }
    package var faults: [MicrophoneFault] {
        events.compactMap { if case .fault(let fault, _) = $0 { fault } else { nil } }
    }
    package var samples: [Int16] { state.withLock { $0.samples } }
    /// Samples that had reached the sink before each event was reported.
    package var samplesAtEvent: [Int] { state.withLock { $0.samplesAtEvent } }
}
