/// What libcurl's callbacks read from and write to during one request.
final class TransferContext {
    /// Answers of a host are short; more than this is no answer of a host.
    static let bodyLimit = 65_536
    static let headerLimit = 100

    let body: RequestBody?
    private(set) var answer = HTTPAnswer()
    /// A connection is there, its key fits, and the request goes out: from here on any part of it may arrive.
    private(set) var isUnderWay = false

    init(body: RequestBody?) { self.body = body }

    /// False when it must not go out: libcurl, whose kept connection died under it, would send it once more on its
    /// own, and what has bytes is asked for first.
    func begins() -> Bool {
        if isUnderWay, body != nil { return false }
        isUnderWay = true
        return true
    }

    /// One header line, as it came.
    func takeHeader(_ line: String) {
        if line.hasPrefix("HTTP/") {
            // A new answer begins (after an interim one): what came before does not count.
            answer.headers = [:]
            return
        }
        guard let colon = line.firstIndex(of: ":"), answer.headers.count < Self.headerLimit else { return }
        let name = line[..<colon].lowercased()
        if answer.headers[name] == nil {
            let value = line[line.index(after: colon)...]
            answer.headers[name] = String(value.trimmingSpaces)
        }
    }

    /// False when the answer is longer than any host's.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard answer.body.count + bytes.count <= Self.bodyLimit else { return false }
        answer.body += bytes
        return true
    }

    func finish(status: Int) -> HTTPAnswer {
        answer.status = status
        return answer
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
