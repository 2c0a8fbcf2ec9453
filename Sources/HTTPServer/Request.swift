/// What a site knows of a request before its body: who asks, and for what.
package struct Request: Sendable {
    package let method: String
    /// Without its query, percent-decoded; as it came where that is not possible.
    package let path: String
    /// What follows `?`; nil when that cannot be read.
    package let query: Query?
    /// The pin of the client's certificate, 64 hexadecimal digits; nil when it sent none.
    package let pin: String?
    /// By lower-case name. Of several of one name the first counts.
    package let headers: [String: String]
    /// Where it comes from: an IP address; empty when that is not known.
    package let address: String

    package init(
        method: String, path: String, query: Query? = Query(), pin: String?, headers: [String: String],
        address: String = ""
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.pin = pin
        self.headers = headers
        self.address = address
    }

    package func header(_ name: String) -> String? { headers[name.lowercased()] }

    /// Of a header that must be a number from 0; nil when it is missing or anything else.
    package func count(_ name: String) -> Int? {
        header(name).flatMap { text in
            !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
        }
    }

    /// A body is announced: a length above 0, or chunks.
    package var hasBody: Bool { (count("Content-Length") ?? 0) > 0 || header("Transfer-Encoding") != nil }
}
