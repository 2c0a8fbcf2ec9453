// Invariants
// 1. The capture thread alone calls `take` and `heard`; nothing here blocks or allocates.
// 2. The microphone hands frames over before it reports the reading that covers them, so observation k of an opening
//    is complete when reading k comes by.
// 3. Each opening begins anew: nothing that was heard in one turn is known in the next.

import DeviceMachine
import EndOfSpeech
import Hardware

/// Hears speech in what a microphone captures, on its way to the recorder.
///
/// It is a sink before the sink: the front end needs the samples, the rule needs its answers in step with the readings, and
/// the capture thread is the one place where both come by. It costs that thread a third of a millisecond for each second
/// of sound (`board/bench endpoint`). Recordings of other rates than 16 kHz are brought there inside the front end, as
/// `lapel-lab endpoint` does with a file, so that a recording judged again gives the answer that the device gave.
package final class SpeechAnalyser: AudioSink {
    /// Observations that may wait for their readings: more than the longest piece of sound holds.
    private static let room = 16
    /// Frames mixed to one channel at once.
    private static let piece = 1024

    private let next: any AudioSink
    private let channels: Int
    // All below: the capture thread's own.
    private nonisolated(unsafe) let frontEnd: LapelFrontEnd
    private nonisolated(unsafe) let mono: UnsafeMutableBufferPointer<Int16>
    private nonisolated(unsafe) let waiting: UnsafeMutableBufferPointer<SpeechFrames>
    /// Observations of this opening.
    private nonisolated(unsafe) var observed = 0

    /// - Parameters:
    ///   - rate, channels: of the samples.
    ///   - next: gets them first, unchanged.
    package init(rate: Int, channels: Int, next: any AudioSink) {
        self.next = next
        self.channels = channels
        frontEnd = LapelFrontEnd(rate: rate)
        mono = .allocate(capacity: Self.piece)
        mono.initialize(repeating: 0)
        waiting = .allocate(capacity: Self.room)
        waiting.initialize(repeating: SpeechFrames())
    }

    deinit {
        mono.deallocate()
        waiting.deallocate()
    }

    package func take(_ samples: UnsafeBufferPointer<Int16>) {
        next.take(samples)
        guard channels > 1 else { return hear(samples) }
        var frame = 0
        let frames = samples.count / channels
        while frame < frames {
            let count = min(Self.piece, frames - frame)
            for index in 0..<count {
                let at = (frame + index) * channels
                var sum = 0
                for channel in 0..<channels { sum += Int(samples[at + channel]) }
                mono[index] = Int16(truncatingIfNeeded: sum / channels)
            }
            hear(UnsafeBufferPointer(rebasing: mono[..<count]))
            frame += count
        }
    }

    private func hear(_ samples: UnsafeBufferPointer<Int16>) {
        frontEnd.take(samples) { observation in
            waiting[observed % Self.room] = observation.frames ?? SpeechFrames()
            observed += 1
        }
    }

    /// What the microphone reported, a reading together with what was heard in it.
    package func heard(_ event: MicrophoneEvent) -> DeviceEvent {
        switch event {
        case .reading(let reading):
            guard (max(0, observed - Self.room)..<observed).contains(reading.index) else {
                return .microphone(event)
            }
            return .heard(reading, waiting[reading.index % Self.room])
        case .done(.start, _):
            frontEnd.reset()
            observed = 0
            return .microphone(event)
        case .done, .failed, .firstFrames, .fault, .closed: return .microphone(event)
        }
    }
}
