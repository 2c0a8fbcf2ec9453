/// What is served at one address: it decides who may ask, what a body is good for, and what is answered.
///
/// Everything of one request happens on its connection's thread: where each connection has a thread of its own, a site
/// may block it and no other; in an event loop it may not block at all, and waits instead.
package protocol Site: Sendable {
    /// Stands on every answer, beside the answer's own headers.
    var standingHeaders: [(name: String, value: String)] { get }

    /// Decides by the headers alone, before a byte of the body is looked at.
    func open(_ request: Request) -> Opening
}

extension Site {
    package var standingHeaders: [(name: String, value: String)] { [] }
}

/// What becomes of a request once its headers are known.
package enum Opening {
    /// Decided; a body would change nothing.
    case settled(Answer)
    /// The answer depends on the body, which is taken as it comes.
    case taking(any Intake)
    /// The answer depends on something that may not have happened yet; only in an event loop. Asked after the body, and
    /// again whenever the waker was rung or the time is up: it puts the waker where the event will be known, and then
    /// looks. What it holds is let go with the request, whether it was answered or its connection ended.
    case waiting((Waker) -> Outcome)
}

/// Whether a request can be answered by now.
package enum Outcome {
    case answered(Answer)
    /// Not yet; asked again at this `MonotonicClock` time at the latest, and within `Server.longestWait` in any case.
    case waits(until: Duration)
}

/// Takes the body of one request. Lives on its connection's thread.
package protocol Intake: AnyObject {
    /// These are bytes of somebody who is known: the connection may stay as long as they come. All others have the
    /// server's patience for their whole body.
    var mayBeSlow: Bool { get }

    func take(_ piece: UnsafeRawBufferPointer) -> Taken

    /// After the last piece.
    func end() -> Answer
}

/// What became of a piece of a body.
package enum Taken {
    case more
    /// What follows of the body changes nothing.
    case settled(Answer)
    /// Nobody reads an answer any more: the connection is to be closed.
    case abandoned
}

/// A body that is small and read whole.
package final class Document: Intake {
    /// Nil when there were too many: the rest is dropped.
    private var bytes: [UInt8]? = []
    private let limit: Int
    private let tooLong: Answer
    private let answer: ([UInt8]) -> Answer

    package let mayBeSlow = false

    /// At most `limit` bytes, for which `answer` is asked; `tooLong` is the answer to more.
    package init(atMost limit: Int, tooLong: Answer, _ answer: @escaping ([UInt8]) -> Answer) {
        self.limit = limit
        self.tooLong = tooLong
        self.answer = answer
    }

    package func take(_ piece: UnsafeRawBufferPointer) -> Taken {
        if let count = bytes?.count, count + piece.count <= limit {
            bytes?.append(contentsOf: piece)
        } else {
            bytes = nil
        }
        return .more
    }

    package func end() -> Answer { bytes.map(answer) ?? tooLong }
}
