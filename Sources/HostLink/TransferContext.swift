/// What libcurl's callbacks read from and write to during one transfer.
final class TransferContext {
    static let headerLimit = 100

    let request: HTTPRequest
    private(set) var answer = HTTPAnswer()
    /// A connection is there, its key fits, and the request goes out: from here on any part of it may arrive.
    private(set) var isUnderWay = false
    /// The success that the file is to take has begun.
    private var isFileBegun = false
    /// Why the answer was broken off here: a fault of our own …
    private(set) var trouble: HostLinkError?
    /// … or what is wrong with the answer.
    private(set) var objection: String?

    init(_ request: HTTPRequest) { self.request = request }

    /// False when it must not go out: libcurl, whose kept connection died under it, would send it once more on its
    /// own.
    func begins() -> Bool {
        if isUnderWay, !request.mayBeRepeated { return false }
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

    /// The next bytes of the body of an answer with this status. False ends the transfer; `trouble` or `objection` says
    /// why.
    func takeBody(_ bytes: UnsafeRawBufferPointer, status: Int) -> Bool {
        switch (200...299).contains(status) ? request.sink : .short {
        case .memory(let limit):
            guard answer.body.count + bytes.count <= limit else {
                objection = "its answer is longer than \(limit) bytes"
                return false
            }
            answer.body += bytes
        case .file(let file):
            do throws(HostLinkError) {
                if !isFileBegun {
                    isFileBegun = try file.begins(status: status, contentRange: answer["content-range"])
                    guard isFileBegun else {
                        objection = "it sent another part of the file than it was asked for"
                        return false
                    }
                }
                try file.append(bytes)
            } catch {
                trouble = error
                return false
            }
        case .pieces(let take): take(bytes)
        }
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
