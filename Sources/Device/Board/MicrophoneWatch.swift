import ALSAAudio
import Threads

/// Looks for a microphone that is not there until it may be used, and tells it once.
enum MicrophoneWatch {
    /// - Parameters:
    ///   - pauses: before the first look, and between two: doubled from the first to the last. A device that has just
    ///     gone is still being closed. Source: SPECIFICATION.md, "Microphone".
    ///   - look: whether it may be used now.
    ///   - report: it may.
    static func errand(
        pauses: (first: Duration, last: Duration) = (.milliseconds(250), .seconds(5)),
        look: @escaping @Sendable () -> MicrophonePermission, report: @escaping @Sendable () -> Void
    ) -> Errand {
        Errand("microphone") { errand in
            var pause = pauses.first
            while errand.pause(pause) {
                if look() == .granted {
                    errand.answered()
                    return report()
                }
                pause = min(pause * 2, pauses.last)
            }
        }
    }
}
