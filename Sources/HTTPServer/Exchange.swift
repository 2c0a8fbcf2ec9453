/// One request on its way, from its headers to its answer. Lives on its connection's thread.
package final class Exchange {
    private enum Stage {
        case taking(any Intake)
        case waiting((Waker) -> Outcome)
        /// Decided; the rest of the body is read and dropped.
        case settled(Answer)
    }

    let request: Request
    let waker = Waker()
    private var stage: Stage

    /// A refused body of at most this many bytes is read to its end: closing a connection with unread bytes in it
    /// resets it, and the reset may overtake the answer that the device should read.
    private static let worthReading = 1 << 20

    package init(_ request: Request, _ site: some Site) {
        self.request = request
        switch site.open(request) {
        case .settled(let answer): stage = .settled(answer)
        case .taking(let intake): stage = .taking(intake)
        case .waiting(let ask): stage = .waiting(ask)
        }
    }

    /// The answer to give before the body: when the client waits to be told to send it, or it is a long one.
    package var early: Answer? {
        guard case .settled(let answer) = stage, request.hasBody else { return nil }
        return request.header("Expect") != nil || isLong ? answer : nil
    }

    /// The connection may stay as long as bytes come.
    var mayBeSlow: Bool {
        switch stage {
        case .taking(let intake): intake.mayBeSlow
        case .waiting, .settled: false
        }
    }

    /// A piece of the body; false when the connection is to be closed.
    package func take(_ piece: UnsafeRawBufferPointer) -> Bool {
        switch stage {
        case .settled, .waiting: return true
        case .taking(let intake):
            switch intake.take(piece) {
            case .more: return true
            case .abandoned: return false
            case .settled(let answer):
                stage = .settled(answer)
                return !isLong
            }
        }
    }

    /// After the last piece; again after a wait.
    package func answer() -> Outcome {
        switch stage {
        case .settled(let answer): .answered(answer)
        case .taking(let intake): .answered(intake.end())
        case .waiting(let ask): ask(waker)
        }
    }

    private var isLong: Bool { (request.count("Content-Length") ?? .max) > Self.worthReading }
}
