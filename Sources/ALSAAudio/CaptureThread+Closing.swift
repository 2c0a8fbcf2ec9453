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
        case .configured(let capture): return finish(capture)
        case .started(let capture, _): return finish(capture)
        }
    }

    private func closed(_ summary: CaptureSummary) -> State {
        report(.closed(summary, at: MonotonicClock.now))
        return .closed
    }

    /// Stops, closes and reports.
    func finish(_ capture: consuming Capture) -> State {
        let summary = capture.chain.summary
        let device = capture.release()
        device.stop()
        _ = consume device
        return closed(summary)
    }

    /// Closes what is open, for good.
    func endOfThread(_ state: consuming State) {
        switch consume state {
        case .closed: return
        case .opened(let device): _ = close(.opened(device))
        case .configured(let capture): _ = finish(capture)
        case .started(let capture, _): _ = finish(capture)
        }
    }
}
