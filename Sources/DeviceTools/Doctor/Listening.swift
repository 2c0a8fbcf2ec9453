import Device
import EndOfSpeech
import Hardware
import Threads

/// One second of an open microphone, for the doctor: opened under a turn's token, noted in the journal as an opening by
/// `doctor`, measured, closed. Nothing is recorded.
final class Listening {
    /// Readings of 100 ms.
    private static let readings = 10
    /// A card needs seconds at the most; one that has not answered by then hangs.
    static let patience = Duration.seconds(10)

    private let ledger: Ledger
    private let interruption: Interruption
    private let patience: Duration

    init(ledger: Ledger, interruption: Interruption, patience: Duration = Listening.patience) {
        self.ledger = ledger
        self.interruption = interruption
        self.patience = patience
    }

    /// Collected by the session's closure.
    private final class Levels {
        var all: [Double] = []
    }

    /// - Parameter make: a microphone that reports to the closure that it is given.
    func run(
        _ make: (@escaping @Sendable (MicrophoneEvent) -> Void) -> any Microphone
    ) throws(Obstacle) -> MicrophoneFacts.Heard {
        let events = EventQueue()
        interruption.listening(events)
        defer { interruption.listening(nil) }
        let levels = Levels()
        let microphone = make { events.post(.microphone($0)) }
        var session = MeterSession(
            rule: EndOfSpeech(), ledger: ledger, once: false, reason: .doctor
        ) { _, observation in
            levels.all.append(observation.dbfs)
        }
        session.begin(microphone)
        let deadline = MonotonicClock.now + patience
        while !session.isOver {
            let arrived = events.takeAll()
            for event in arrived {
                session.handle(event, microphone)
                if levels.all.count == Self.readings {
                    session.handle(.endAsked(.request, at: MonotonicClock.now), microphone)
                }
            }
            events.recycle(arrived)
            if session.isOver { break }
            guard MonotonicClock.now < deadline else {
                // Its thread is inside the driver: waiting for it would hang this command, too.
                _ = Unmanaged.passRetained(microphone as AnyObject)
                throw Obstacle(
                    "The microphone did not answer within \(patience.components.seconds) s.",
                    mend: "Unplug it and plug it in again; `dmesg | tail` tells what the kernel saw.")
            }
            events.wait(until: deadline)
        }
        switch session.failure {
        case .microphone(let fault)?: throw Obstacle(fault)
        case .journal(let sentence)?: throw Obstacle(sentence, mend: "See what `card` says below.")
        case nil: break
        }
        let summary = session.summary ?? CaptureSummary()
        return MicrophoneFacts.Heard(
            format: summary.format, levels: levels.all, clipped: summary.clipped, overruns: summary.overruns)
    }
}
