import CALSA
import Glibc
import Hardware
import Threads

/// Reading, until `close`.
///
/// Invariants
/// 1. Nothing is allocated between the first period and the end, unless a fault is reported.
/// 2. `cursor.taken` frames of the device, silence for lost ones included, are what the clock says since `start`.
/// 3. The first period is read as soon as it is there; then the thread wakes every 100 ms, once for each reading, with
///    400 ms of buffer to spare. A command wakes it at once.
/// 4. After a fault the device stays open and unread until `close`.
///
/// Order of a wake-up: a command first (it ends the reading, after what the device holds was read), then the
/// device's state, then its frames.
extension CaptureThread {
    /// A device that gives no frame for so long has stalled.
    private static let stall = Duration.seconds(2)
    /// Overruns in a row, without a frame between them, after which a device is given up.
    private static let hopeless = 8

    func read(_ state: consuming State) -> State {
        switch consume state {
        case .started(let capture, let at):
            var cursor = ReadCursor(startedAt: at)
            do {
                try readUntilCommand(capture, &cursor)
                capture.chain.finish(at: MonotonicClock.now, report: report)
                return finish(capture)
            } catch {
                capture.chain.finish(at: MonotonicClock.now, report: report)
                report(.fault(error, at: MonotonicClock.now))
                awaitEnd()
                return finish(capture)
            }
        case .closed: return readOutOfOrder()
        case .opened: return readOutOfOrder()
        case .configured: return readOutOfOrder()
        }
    }

    /// The caller's mistake: nothing is read, and the opening ends as after any other fault.
    private func readOutOfOrder() -> State {
        let reason = "the steps of its opening came out of order"
        report(
            .fault(
                .failed(device: settings.device, operation: "read", reason: reason), at: MonotonicClock.now))
        awaitEnd()
        report(.closed(CaptureSummary(), at: MonotonicClock.now))
        return .closed
    }

    /// Takes the command that ends a reading. A shut-down is put back: the thread ends by it afterwards.
    private func awaitEnd() {
        while !isEnd(mailbox.wait()) {}
    }

    private func isEnd(_ command: CaptureCommand?) -> Bool {
        if command == .shutDown { mailbox.post(.shutDown) }
        return command == .shutDown || command == .step(.close)
    }

    private func readUntilCommand(
        _ capture: borrowing Capture, _ cursor: inout ReadCursor
    ) throws(MicrophoneFault) {
        let polls = PollSet(capture.device, mailbox: mailbox)
        var quietSince = MonotonicClock.now
        while true {
            if polls.wait(Self.stall), isEnd(mailbox.take()) {
                return try takeFrames(capture, &cursor, atLeast: 1)
            }
            polls.acknowledge(capture.device)
            let before = cursor.taken
            try takeFrames(capture, &cursor, atLeast: before == 0 ? capture.format.period : 1)
            let now = MonotonicClock.now
            if cursor.taken > before {
                quietSince = now
            } else if now - quietSince >= Self.stall {
                let reason = "no frames for 2 s"
                throw .failed(device: settings.device, operation: "be recorded from", reason: reason)
            }
        }
    }

    /// Reads all that is there, if it is at least `wanted` frames.
    private func takeFrames(
        _ capture: borrowing Capture, _ cursor: inout ReadCursor, atLeast wanted: Int
    ) throws(MicrophoneFault) {
        // Borrowed once: a `~Copyable` capture's property read in the loop breaks Swift 6.0.3's compiler.
        let chain = capture.chain
        do throws(ALSAError) {
            while true {
                let available = try capture.device.available()
                let now = MonotonicClock.now
                // A plugin that lost its device says so by its state alone.
                if capture.device.state() == SND_PCM_STATE_DISCONNECTED {
                    throw ALSAError(operation: "be read", code: -ENODEV)
                }
                guard available >= wanted else { return }
                let count = min(available, chain.capacity)
                let frames = try capture.device.read(into: chain.input, frames: count)
                guard frames > 0 else { return }
                let isFirst = cursor.took(frames, of: available, at: now)
                if isFirst { report(.firstFrames(at: now)) }
                if chain.takeInput(frames, at: now, report: report) {
                    report(.fault(.noSignal(device: settings.device), at: now))
                }
                // Only the price of wake-ups depends on it: a device that refuses goes on as it was.
                if isFirst { try? capture.device.setWakeUp(frames: capture.format.wakeUp) }
                if frames == available { return }
            }
        } catch {
            try recover(capture, &cursor, from: error)
        }
    }

    /// After an overrun or a sleep: starts the device again and puts silence where frames were lost.
    private func recover(
        _ capture: borrowing Capture, _ cursor: inout ReadCursor, from error: ALSAError
    ) throws(MicrophoneFault) {
        cursor.recoveries += 1
        do throws(ALSAError) {
            switch -error.code {
            case EINTR:
                return
            case EPIPE where cursor.recoveries <= Self.hopeless:
                try capture.device.prepare()
                try capture.device.start()
            case ESTRPIPE where cursor.recoveries <= Self.hopeless:
                if !capture.device.resume() {
                    try capture.device.prepare()
                    try capture.device.start()
                }
            default:
                throw error
            }
        } catch {
            throw error.fault(device: settings.device, wasOpen: true)
        }
        let now = MonotonicClock.now
        let lost = cursor.lose(until: now, rate: capture.format.rate)
        capture.chain.insertSilence(lost, at: now, report: report)
    }
}
