import Glibc
import Hardware
import Synchronization

/// A microphone through libasound. It owns one thread, which alone touches the sound card; when nothing is asked
/// of it, that thread sleeps and holds no device.
package final class ALSAMicrophone: Microphone {
    private let device: String
    private let report: @Sendable (MicrophoneEvent) -> Void
    /// Nil when the process had no descriptor or thread left: then every step fails with `refusal`.
    private let mailbox: Mailbox?
    private let refusal: Int32
    private let thread: Mutex<pthread_t?>

    /// Starts the capture thread; touches no device.
    ///
    /// - Parameters:
    ///   - settings: the device and the recording. `configuration`, when given, is libasound's only one, and only
    ///     the name itself is tried.
    ///   - sink: gets every frame, on the capture thread, before the reading that covers it.
    ///   - report: gets every event, on the capture thread.
    package init(
        settings: CaptureSettings, sink: any AudioSink, report: @escaping @Sendable (MicrophoneEvent) -> Void
    ) {
        device = settings.device
        self.report = report
        let box = Mailbox()
        var code = box == nil ? errno : 0
        var started: pthread_t = 0
        if let box {
            let body = CaptureThread(settings: settings, sink: sink, mailbox: box, report: report)
            code = body.start(&started)
        }
        mailbox = code == 0 ? box : nil
        refusal = code
        thread = Mutex(code == 0 ? started : nil)
    }

    deinit { shutDown() }

    package func perform(_ step: MicrophoneStep) {
        if let mailbox { return mailbox.post(.step(step)) }
        let reason = String(cString: strerror(refusal))
        let fault = MicrophoneFault.failed(device: device, operation: "be served by a thread", reason: reason)
        switch step {
        case .open, .configure, .start: report(.failed(step, fault, at: monotonicNow()))
        case .read: report(.fault(fault, at: monotonicNow()))
        case .close: report(.closed(CaptureSummary(), at: monotonicNow()))
        }
    }

    /// Closes what is open, ends the thread and waits for it: as long as the sound card takes for the operation it
    /// is in. A device that was open is reported `closed`. Afterwards nothing may be asked. Again: nothing.
    package func shutDown() {
        let ended = thread.withLock { running in
            defer { running = nil }
            return running
        }
        guard let ended else { return }
        mailbox?.post(.shutDown)
        // The last reference may be dropped by an event's receiver, on the capture thread itself.
        if pthread_equal(ended, pthread_self()) != 0 {
            pthread_detach(ended)
        } else {
            pthread_join(ended, nil)
        }
    }
}
