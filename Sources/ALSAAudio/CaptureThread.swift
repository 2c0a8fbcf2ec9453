import Hardware
import Threads

/// The thread that owns the sound card: takes a step, does it, reports it.
///
/// Invariants
/// 1. No other thread calls libasound for this microphone, and this one waits for nobody else while a device is open;
///    before it opens one, it does what `beforeOpening` asks.
/// 2. Every step is answered exactly once (`read` by what it brings); after `failed` nothing is open.
/// 3. Without a command the thread sleeps without a time-out.
/// 4. A device is open exactly while `state` holds one: the states own their handles, and a state that is left
///    behind closes what it does not pass on.
final class CaptureThread: @unchecked Sendable {
    let settings: CaptureSettings
    let sink: any AudioSink
    let mailbox: Mailbox<CaptureCommand>
    private let beforeOpening: @Sendable () -> Void
    let report: @Sendable (MicrophoneEvent) -> Void

    // Unchecked: all stored properties are constants; `CaptureSettings` is Sendable, as are the others.
    init(
        settings: CaptureSettings, sink: any AudioSink, mailbox: Mailbox<CaptureCommand>,
        beforeOpening: @escaping @Sendable () -> Void, report: @escaping @Sendable (MicrophoneEvent) -> Void
    ) {
        self.settings = settings
        self.sink = sink
        self.mailbox = mailbox
        self.beforeOpening = beforeOpening
        self.report = report
    }

    /// What of the device there is.
    enum State: ~Copyable {
        case closed
        case opened(CaptureDevice)
        case configured(Capture)
        case started(Capture, at: Duration)
    }

    func run() {
        var state = State.closed
        while true {
            switch mailbox.wait() {
            case .step(.open):
                beforeOpening()
                state = open(state)
            case .step(.configure): state = configure(state)
            case .step(.start): state = start(state)
            case .step(.read): state = read(state)
            case .step(.close): state = close(state)
            case .shutDown:
                endOfThread(state)
                return
            }
        }
    }

    func failed(_ step: MicrophoneStep, _ fault: MicrophoneFault) -> State {
        report(.failed(step, fault, at: MonotonicClock.now))
        return .closed
    }

    /// Steps come in order; the caller's mistake ends the opening, and is said.
    func outOfOrder(_ step: MicrophoneStep) -> State {
        let reason = "the steps of its opening came out of order"
        return failed(step, .failed(device: settings.device, operation: "\(step)", reason: reason))
    }
}
