import CMicrohttpd
import Synchronization
import Threads

/// What libmicrohttpd's callbacks get as their context; lives as long as the server.
final class Serving: Sendable {
    let watch: ConnectionWatch
    private let site: any Site
    private let mayWait: Bool

    init(_ site: any Site, _ watch: ConnectionWatch, mayWait: Bool) {
        self.site = site
        self.watch = watch
        self.mayWait = mayWait
    }

    func exchange(_ request: Request) -> Exchange { Exchange(request, site) }

    /// After the body, and after each wait: queues the answer, or lets the connection wait.
    func finish(_ exchange: Exchange, on connection: OpaquePointer) -> MHD_Result {
        // What began with the headers, or with a wait, is over; an upload is worked on to its answer.
        if !exchange.mayBeSlow { watch.idle(connection) }
        while true {
            exchange.waker.clear()
            switch exchange.answer() {
            case .answered(let answer): return queue(answer, to: exchange, on: connection)
            case .waits(let until):
                switch rest(exchange.waker, on: connection, until: until) {
                case .suspended: return .YES
                case .disturbed: continue
                case .refused: return .NO
                }
            }
        }
    }

    /// Suspends the connection until its waker is rung, or then. Refused to one that has gone: while it is suspended
    /// nobody looks at its socket.
    func rest(_ waker: Waker, on connection: OpaquePointer, until deadline: Duration) -> Waker.Rest {
        precondition(mayWait, "a site whose requests wait is served by an event loop")
        if lapel_mhd_has_gone(connection) != 0 { return .refused }
        let latest = MonotonicClock.now + Server.longestWait
        guard watch.waits(connection, waker, until: min(deadline, latest)) else { return .refused }
        let rest = waker.suspend(connection)
        if rest != .suspended { watch.idle(connection) }
        return rest
    }

    func queue(_ answer: Answer, to exchange: Exchange, on connection: OpaquePointer) -> MHD_Result {
        var answer = answer
        let response: OpaquePointer?
        switch answer.body {
        case .text(let text): response = Self.response(Array(text.utf8), &answer)
        case .bytes(let bytes): response = Self.response(bytes, &answer)
        case .file(let file):
            let part = file.select(for: exchange.request, &answer)
            response = BodySource(.file(file, from: part.lowerBound), exchange.waker, self, connection)
                .response(size: UInt64(part.count))
        case .stream(let pull):
            answer.headers.insert(("Content-Type", answer.type), at: 0)
            response = BodySource(.stream(pull), exchange.waker, self, connection).response(size: .max)
        }
        guard let response else { return .NO }
        defer { MHD_destroy_response(response) }
        for (name, value) in site.standingHeaders + answer.headers {
            MHD_add_response_header(response, name, Self.fieldValue(value))
        }
        return MHD_queue_response(connection, answer.status, response)
    }

    private static func response(_ bytes: [UInt8], _ answer: inout Answer) -> OpaquePointer? {
        if !bytes.isEmpty { answer.headers.insert(("Content-Type", answer.type), at: 0) }
        var bytes = bytes
        return MHD_create_response_from_buffer(bytes.count, &bytes, .RESPMEM_MUST_COPY)
    }

    /// No value can end its line and begin another header (RFC 9110, 5.5).
    static func fieldValue(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 < 32 || $0 == 127 ? 32 : $0 }, as: UTF8.self)
    }
}
