import Hardware
import Synchronization
import Threads

/// A microphone through libasound. It owns one thread, which alone touches the sound card; when nothing is asked
/// of it, that thread sleeps and holds no device.
package final class ALSAMicrophone: Microphone {
    private let mailbox = Mailbox<CaptureCommand>()
    private let thread: Mutex<NamedThread?>

    /// Starts the capture thread; touches no device.
    ///
    /// - Parameters:
    ///   - settings: the device and the recording. `configuration`, when given, is libasound's only one, and only
    ///     the name itself is tried.
    ///   - sink: gets every frame, on the capture thread, before the reading that covers it.
    ///   - beforeOpening: called on the capture thread before each opening, which waits for it.
    ///   - report: gets every event, on the capture thread.
    package init(
        settings: CaptureSettings, sink: any AudioSink, beforeOpening: @escaping @Sendable () -> Void = {},
        report: @escaping @Sendable (MicrophoneEvent) -> Void
    ) {
        let body = CaptureThread(
            settings: settings, sink: sink, mailbox: mailbox, beforeOpening: beforeOpening, report: report)
        thread = Mutex(NamedThread("capture") { body.run() })
    }

    deinit { shutDown() }

    package func perform(_ step: MicrophoneStep) { mailbox.post(.step(step)) }

    /// Closes what is open, ends the thread and waits for it: as long as the sound card takes for the operation it
    /// is in. A device that was open is reported `closed`. Afterwards nothing may be asked. Again: nothing.
    package func shutDown() {
        let ended = thread.withLock { running in
            defer { running = nil }
            return running
        }
        guard let ended else { return }
        mailbox.post(.shutDown)
        ended.join()
    }
}
