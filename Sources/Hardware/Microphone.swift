/// One suspension point of the sound card. Between two of them the switch decides anew.
package enum MicrophoneStep: Equatable, Hashable, Sendable, CaseIterable {
    /// Open the device: `snd_pcm_open`.
    case open
    /// Negotiate format, rate and channels.
    case configure
    /// `snd_pcm_start`. No frame is read yet.
    case start
    /// Read until `close` is asked for, or the device is lost.
    case read
    /// Stop and close. Legal in every state.
    case close
}

/// What the capture thread reports. Every step but `read` is answered exactly once, by `done`, `closed` or
/// `failed`; after `failed` the device is closed.
package enum MicrophoneEvent: Equatable, Sendable {
    /// `open`, `configure` or `start` is done. Time since the zero of `CLOCK_MONOTONIC`.
    case done(MicrophoneStep, at: Duration)
    /// `open`, `configure` or `start` did not work. The device is closed again.
    case failed(MicrophoneStep, MicrophoneFault, at: Duration)
    /// The first period of this opening has been read.
    case firstFrames(at: Duration)
    /// One per 100 ms of audio.
    case reading(LevelReading)
    /// While reading: the device is gone, gives no signal, or cannot be read. It stays open (and counts as
    /// real) until `close`. Reported at most once for each opening; `noSignal` does not end the reading.
    case fault(MicrophoneFault, at: Duration)
    /// `close` is done: no capture descriptor is held, all frames are with the sink.
    case closed(CaptureSummary, at: Duration)
}

/// A capture device, owned by one thread of its own.
package protocol Microphone: AnyObject, Sendable {
    /// Starts a step and returns at once; the answer is a `MicrophoneEvent`. The caller never asks for a
    /// second step before the first is answered, save `close` during `read`.
    func perform(_ step: MicrophoneStep)
}

/// Where captured frames go. Called on the capture thread: copies, never blocks, never allocates.
package protocol AudioSink: AnyObject, Sendable {
    /// Interleaved 16-bit frames at the recording's rate and channel count.
    func take(_ samples: UnsafeBufferPointer<Int16>)
}

/// Why a microphone does not work, as a sentence for whoever holds the device.
package enum MicrophoneFault: Error, Equatable, Hashable, Sendable, CustomStringConvertible {
    case missing(device: String)
    case denied(device: String, remedy: String)
    /// `holder` names the program that has it, when the kernel tells.
    case busy(device: String, holder: String?)
    case unsupported(device: String, offered: String)
    case unplugged(device: String)
    /// All-zero or constant input for one second.
    case noSignal(device: String)
    case failed(device: String, operation: String, reason: String)

    package var description: String {
        switch self {
        case .missing(let device):
            "There is no microphone named \(device): plug it in, or set `microphone` to a name that `arecord -L` lists."
        case .denied(let device, let remedy):
            "The microphone \(device) may not be opened: \(remedy)"
        case .busy(let device, let holder):
            "The microphone \(device) is held by \(holder ?? "another program"): stop that program or choose another microphone."
        case .unsupported(let device, let offered):
            "The microphone \(device) offers no format that can be recorded (\(offered))."
        case .unplugged(let device):
            "The microphone \(device) was unplugged."
        case .noSignal(let device):
            "The microphone \(device) gives no signal: check its wiring, its channel and its mute switch."
        case .failed(let device, let operation, let reason):
            "The microphone \(device) could not \(operation): \(reason)."
        }
    }
}
