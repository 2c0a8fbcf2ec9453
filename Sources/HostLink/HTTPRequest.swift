import Wire

/// One HTTP request: what is asked, what goes with it, where its answer goes, and how long a silence it bears.
package struct HTTPRequest {
    package enum Method: String, CaseIterable, Sendable {
        case get = "GET"
        /// Its answer has no body, whatever its headers say.
        case head = "HEAD"
        case options = "OPTIONS"
        case post = "POST"
        case patch = "PATCH"
        case put = "PUT"
        case delete = "DELETE"

        /// Twice is as good as once (RFC 9110, 9.2.2).
        var isIdempotent: Bool {
            switch self {
            case .get, .head, .options, .put, .delete: true
            case .post, .patch: false
            }
        }
    }

    let method: Method
    let path: String
    let headers: [(name: String, value: String)]
    let body: RequestBody?
    let sink: AnswerSink
    let silence: Duration

    /// - Parameters:
    ///   - path: from the root, with its query.
    ///   - body: nil sends none; one of no bytes is announced as such. HEAD has none.
    ///   - sink: where the body of the answer goes.
    ///   - silence: once the request is under way, so long no byte may move in either direction: a transfer that
    ///     stands still for longer is given up as stalled.
    package init(
        _ method: Method, _ path: String, headers: [(name: String, value: String)] = [],
        body: RequestBody? = nil, into sink: AnswerSink = .short, silence: Duration = TransferLimit.stall
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        self.sink = sink
        self.silence = silence
    }

    /// It may go out once more by itself when the connection that was kept for it turned out to be dead. What has
    /// bytes, or does more when it is done twice, is asked for first.
    var mayBeRepeated: Bool { body == nil && method.isIdempotent }
}
