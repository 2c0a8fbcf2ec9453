/// The answer to one.
package struct HTTPAnswer {
    package var status = 0
    /// Names in lower case; the first of equal ones counts.
    package var headers: [String: String] = [:]
    /// What the request wanted in memory, or, of no success, what was said of it; nothing of what went elsewhere.
    package var body: [UInt8] = []

    package init() {}

    /// Of a refusal, what the host says of it: one line of printable text, at most 300 characters; nil when it says
    /// nothing that can be shown.
    package var sentence: String? {
        guard (400...599).contains(status), self["content-type"]?.hasPrefix("text/plain") == true,
            let text = String(validating: body, as: UTF8.self)
        else { return nil }
        let line = text.prefix { !$0.isNewline }.prefix(300)
        let isShown = line.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
        return line.isEmpty || !isShown ? nil : String(line)
    }

    /// Of a header by its name, in either case; nil where there is none.
    package subscript(header: String) -> String? { headers[header.lowercased()] }
}
