/// What the host knows of a request before its body: who asks, and for what.
struct Request: Sendable {
    let method: String
    /// As it came; no route of the host has an escaped character.
    let path: String
    /// The pin of the client's certificate, 64 hexadecimal digits; nil when it sent none.
    let pin: String?
    /// By lower-case name.
    let headers: [String: String]
    /// Where it comes from: an IP address; empty when that is not known.
    var address = ""

    func header(_ name: String) -> String? { headers[name.lowercased()] }

    /// Of a header that must be a number from 0; nil when it is missing or anything else.
    func count(_ name: String) -> Int? {
        header(name).flatMap { text in
            !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
        }
    }

    /// A body is announced: a length above 0, or chunks.
    var hasBody: Bool { (count("Content-Length") ?? 0) > 0 || header("Transfer-Encoding") != nil }

    /// The upload's id in `/v1/up/<id>`.
    func upload(under root: String) -> String? {
        guard path.hasPrefix(root + "/") else { return nil }
        return String(path.dropFirst(root.utf8.count + 1))
    }
}

/// A whole answer.
struct Answer: Equatable, Sendable {
    var status: UInt32
    var headers: [(name: String, value: String)]
    var body: String
    /// Of the body.
    var type = "text/plain; charset=utf-8"

    init(_ status: UInt32, _ headers: [(name: String, value: String)] = [], body: String = "") {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A refusal says why, in a sentence.
    static func refusal(_ status: UInt32, _ sentence: String, _ headers: [(name: String, value: String)] = [])
        -> Answer
    {
        Answer(status, headers, body: sentence + "\n")
    }

    static func == (a: Answer, b: Answer) -> Bool {
        a.status == b.status && a.body == b.body && a.type == b.type
            && a.headers.elementsEqual(b.headers) { $0.name == $1.name && $0.value == $1.value }
    }
}
