/// What a request is answered with.
package struct Answer {
    package enum Body {
        case text(String)
        case bytes([UInt8])
        /// The whole of it, or with status 200 what the request's `Range` asks for.
        case file(ServedFile)
        /// As long as it goes on. Asked for so many bytes at most whenever the connection can take some, and again when
        /// the waker was rung; may wait in an event loop only.
        case stream((Waker, UnsafeMutableRawBufferPointer) -> Pulled)
    }

    /// What a stream gives when it is asked.
    package enum Pulled {
        /// So many bytes were written to the buffer; at least one.
        case bytes(Int)
        /// Nothing yet; asked again at this `MonotonicClock` time at the latest.
        case waits(until: Duration)
        case end
        /// The connection is closed in the middle, by which the client knows that something is missing.
        case failed
    }

    package var status: UInt32
    /// Not those that HTTP itself needs: length, date and connection are the server's. A control character in a value
    /// becomes a space.
    package var headers: [(name: String, value: String)]
    package var body: Body
    /// Of the body, when there is one.
    package var type: String

    package init(
        _ status: UInt32, _ headers: [(name: String, value: String)] = [], body: Body = .text(""),
        type: String = "text/plain; charset=utf-8"
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.type = type
    }

    /// A refusal says why, in a sentence.
    package static func refusal(
        _ status: UInt32, _ sentence: String, _ headers: [(name: String, value: String)] = []
    ) -> Answer {
        Answer(status, headers, body: .text(sentence + "\n"))
    }

    /// The body, when it is a text.
    package var text: String {
        switch body {
        case .text(let text): text
        case .bytes, .file, .stream: ""
        }
    }
}
