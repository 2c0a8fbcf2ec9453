// Invariants
// 1. Frames reach the sink only between `read` and the end of `close`, and never after an unplugging.
// 2. A reading and the first frames are reported after their frames have reached the sink.
// 3. A step is answered once, or, scripted to hang, once it is let go.
//
// One thread drives it: `perform`, `advance` and `letGo` report on the thread that calls them, before they return.

import Glibc
import Hardware
import Synchronization

/// A microphone of samples in memory, whose time is the driver's: no card, no thread, no waiting.
///
/// It misbehaves by a script and records what was asked of it.
package final class SimulatedMicrophone: Microphone {
    /// What goes wrong in one opening.
    package enum Misfortune: Equatable, Sendable {
        /// This step, one before `read`, is answered by `failed`.
        case fails(MicrophoneStep, MicrophoneFault)
        /// This step is not answered before `letGo`.
        case hangs(MicrophoneStep)
        /// Nothing comes any more after so many frames.
        case unplugged(afterFrames: Int)
        /// After so many frames the wire is cut: reported, then silence.
        case noSignal(afterFrames: Int)
    }

    package enum Pace: Equatable, Sendable {
        /// Frames come by `advance` only; behind the last sample comes silence.
        case stepped
        /// `read` gives all samples at once; their time has then passed.
        case instant
    }

    /// What happened to the microphone so far.
    package struct Record: Equatable, Sendable {
        /// Every step asked for, in order.
        package fileprivate(set) var steps: [MicrophoneStep] = []
        /// Steps that came when their predecessor was not done, a `read` of a closed device among them.
        package fileprivate(set) var outOfOrder: [MicrophoneStep] = []
        package fileprivate(set) var openings = 0
        /// Frames that reached the sink.
        package fileprivate(set) var frames = 0
        package fileprivate(set) var isOpen = false
    }

    private enum Card: Equatable {
        case closed
        case opened
        case configured
        case started
        case reading
        case unplugged
    }

    private enum Output {
        case samples([Int16])
        case event(MicrophoneEvent)
    }

    private struct State {
        var now: Duration
        var card = Card.closed
        var record = Record()
        var held: MicrophoneStep?
        var meter: SimulatedMeter
        /// Of this opening.
        var frames = 0
        var outputs: [Output] = []
    }

    private let samples: [Int16]
    private let rate: Int
    private let channels: Int
    private let pace: Pace
    private let script: [Misfortune?]
    private let sink: any AudioSink
    private let report: @Sendable (MicrophoneEvent) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - samples: what each opening hears from its start, interleaved, at `rate`.
    ///   - script: what goes wrong in the first opening, the second, …; nil and past its end nothing does.
    ///   - start: the driver's time now.
    package init(
        samples: [Int16], rate: Int = 16_000, channels: Int = 1, pace: Pace = .stepped,
        script: [Misfortune?] = [], start: Duration = .zero, sink: any AudioSink,
        report: @escaping @Sendable (MicrophoneEvent) -> Void
    ) {
        self.samples = samples
        self.rate = rate
        self.channels = channels
        self.pace = pace
        self.script = script
        self.sink = sink
        self.report = report
        state = Mutex(State(now: start, meter: SimulatedMeter(rate: rate, channels: channels)))
    }

    package var record: Record { state.withLock { $0.record } }
    /// The driver's time, as far as it was told.
    package var now: Duration { state.withLock { $0.now } }

    package func perform(_ step: MicrophoneStep) {
        put {
            $0.record.steps.append(step)
            if hangs(step, $0) { $0.held = step } else { serve(step, &$0) }
        }
    }

    /// Answers the step that hangs.
    package func letGo() {
        put {
            guard let step = $0.held else { return }
            $0.held = nil
            serve(step, &$0)
        }
    }

    /// Time passes; an open microphone hears it.
    package func advance(by time: Duration) { advance(to: now + time) }

    package func advance(to time: Duration) { put { hear(until: time, &$0) } }

    /// Changes the state, then gives out what came of it, with the lock open.
    private func put(_ body: (inout State) -> Void) {
        let outputs = state.withLock { state in
            body(&state)
            defer { state.outputs = [] }
            return state.outputs
        }
        for output in outputs {
            switch output {
            case .samples(let samples): samples.withUnsafeBufferPointer(sink.take)
            case .event(let event): report(event)
            }
        }
    }

    private func misfortune(_ state: State) -> Misfortune? {
        let opening = state.record.openings - 1
        return script.indices.contains(opening) ? script[opening] : nil
    }

    private func hangs(_ step: MicrophoneStep, _ state: State) -> Bool {
        guard step != .open else {
            return script.indices.contains(state.record.openings)
                && script[state.record.openings] == .hangs(.open)
        }
        return misfortune(state) == .hangs(step)
    }

    private func serve(_ step: MicrophoneStep, _ state: inout State) {
        switch (step, state.card) {
        case (.open, .closed):
            state.record.openings += 1
            state.record.isOpen = true
            state.frames = 0
            state.meter = SimulatedMeter(rate: rate, channels: channels)
            answer(step, .opened, &state)
        case (.configure, .opened): answer(step, .configured, &state)
        case (.start, .configured): answer(step, .started, &state)
        case (.read, .started):
            state.card = .reading
            if pace == .instant {
                let periods = (samples.count / channels + period - 1) / period
                hear(until: state.now + .milliseconds(10) * periods, &state)
            }
        case (.close, _):
            state.card = .closed
            state.record.isOpen = false
            var summary = state.meter.summary
            summary.format = "S16_LE \(rate) Hz \(channels) channel\(channels == 1 ? "" : "s")"
            state.outputs.append(.event(.closed(summary, at: state.now)))
            state.meter = SimulatedMeter(rate: rate, channels: channels)
        case (.open, _), (.configure, _), (.start, _), (.read, _): state.record.outOfOrder.append(step)
        }
    }

    private func answer(_ step: MicrophoneStep, _ next: Card, _ state: inout State) {
        if case .fails(step, let fault) = misfortune(state) {
            state.card = .closed
            state.record.isOpen = false
            state.outputs.append(.event(.failed(step, fault, at: state.now)))
        } else {
            state.card = next
            state.outputs.append(.event(.done(step, at: state.now)))
        }
    }

    /// Frames of a period: 10 ms.
    private var period: Int { rate / 100 }

    private func hear(until time: Duration, _ state: inout State) {
        while state.card == .reading, state.now + .milliseconds(10) <= time {
            state.now += .milliseconds(10)
            if case .unplugged(let after) = misfortune(state), state.frames >= after {
                state.card = .unplugged
                state.outputs.append(.event(.fault(.unplugged(device: "simulated"), at: state.now)))
                break
            }
            hearPeriod(&state)
        }
        state.now = max(state.now, time)
    }

    private func hearPeriod(_ state: inout State) {
        var heard = (state.frames * channels..<(state.frames + period) * channels).map {
            $0 < samples.count ? samples[$0] : 0
        }
        if case .noSignal(let after) = misfortune(state), state.frames >= after {
            if state.frames - period < after {
                state.outputs.append(.event(.fault(.noSignal(device: "simulated"), at: state.now)))
            }
            heard = [Int16](repeating: 0, count: heard.count)
        }
        let reading = state.meter.add(heard, at: state.now)
        state.outputs.append(.samples(heard))
        if state.frames == 0 { state.outputs.append(.event(.firstFrames(at: state.now))) }
        if let reading { state.outputs.append(.event(.reading(reading))) }
        state.frames += period
        state.record.frames += period
    }
}
