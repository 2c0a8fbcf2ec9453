import Hardware
import Threads

/// Closing, legal in every state. The handle is closed before the event says so.
extension CaptureThread {
    func close(_ state: consuming State) -> State {
        switch consume state {
        case .closed: return closed(CaptureSummary())
        case .opened(let device):
            _ = consume device
            return closed(CaptureSummary())
        case .reopened(let device, _):
            _ = consume device
            return closed(CaptureSummary())
        case .warm(let device, let format, let until):
            // Closed already for the caller; `close` once more does not end the warm time.
            var summary = CaptureSummary()
            summary.keptWarm = true
            _ = closed(summary)
            return .warm(device, format, until: until)
        case .configured(let capture): return finish(capture)
        case .started(let capture, _): return finish(capture)
        }
    }

    private func closed(_ summary: CaptureSummary) -> State {
        report(.closed(summary, at: MonotonicClock.now))
        return .closed
    }

    /// Stops, keeps the device prepared if it is to stay warm, closes it otherwise, and reports.
    func finish(_ capture: consuming Capture, lost: Bool = false) -> State {
        var summary = capture.chain.summary
        let format = capture.format
        let device = capture.release()
        device.stop()
        if settings.warm > .zero, !lost, (try? device.prepare()) != nil {
            summary.keptWarm = true
            let now = MonotonicClock.now
            report(.closed(summary, at: now))
            return .warm(device, format, until: now + settings.warm)
        }
        _ = consume device
        return closed(summary)
    }

    /// Closes what is open, warm or not, for good.
    func endOfThread(_ state: consuming State) {
        switch consume state {
        case .closed: return
        case .warm: return
        case .opened(let device): _ = close(.opened(device))
        case .reopened(let device, let format): _ = close(.reopened(device, format))
        case .configured(let capture): _ = finish(capture)
        case .started(let capture, _): _ = finish(capture)
        }
    }
}
