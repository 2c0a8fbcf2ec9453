import Hardware

/// What the capture thread is asked to do.
enum CaptureCommand: Equatable, Sendable {
    case step(MicrophoneStep)
    /// Close what is open and end the thread.
    case shutDown
}
