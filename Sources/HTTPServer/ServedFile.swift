import Glibc

/// An open file that is somebody's answer. It is closed with the last one that serves it.
package final class ServedFile: Sendable {
    let descriptor: Int32
    /// Bytes; what is added to the file later is not served.
    let size: Int
    /// Names these bytes and no others, such as their hash (RFC 9110, 8.8.3: a strong validator, here without quotes).
    let tag: String?

    /// Takes the descriptor over. Without a tag a broken download is begun anew.
    package init(taking descriptor: Int32, size: Int, tag: String?) {
        self.descriptor = descriptor
        self.size = size
        self.tag = tag
    }

    deinit { close(descriptor) }

    /// The bytes from `offset` on, as many as come at once: 0 at the end, -1 when they cannot be read.
    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Which of its bytes are the answer to `request`; makes the answer say so.
    func select(for request: Request, _ answer: inout Answer) -> Range<Int> {
        answer.headers.append(("Content-Type", answer.type))
        guard answer.status == 200 else { return 0..<size }
        answer.headers.append(("Accept-Ranges", "bytes"))
        if let tag { answer.headers.append(("ETag", "\"\(tag)\"")) }
        switch selection(for: request) {
        case .whole: return 0..<size
        case .part(let part):
            answer.status = 206
            let range = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
            answer.headers.append(("Content-Range", range))
            return part
        case .none:
            answer.status = 416
            answer.headers.append(("Content-Range", "bytes */\(size)"))
            return 0..<0
        }
    }

    private func selection(for request: Request) -> RangeSelection {
        // RFC 9110, 14.2: of other methods a range means nothing; 13.1.5: of another file neither.
        guard request.method == "GET", let range = request.header("Range") else { return .whole }
        if let condition = request.header("If-Range"), condition != tag.map({ "\"\($0)\"" }) { return .whole }
        return RangeSelection(range, of: size)
    }
}

/// Which bytes a `Range` header asks for (RFC 9110, 14.1.2).
enum RangeSelection: Equatable {
    /// No range, one that cannot be read, or several: a server may serve the whole then (14.2).
    case whole
    case part(Range<Int>)
    /// Nothing of it is in the file: 416.
    case none

    init(_ header: String, of size: Int) {
        self = Self.parse(header, size) ?? .whole
    }

    private static func parse(_ header: String, _ size: Int) -> RangeSelection? {
        let words = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let ends = words[1].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty {
            guard let count = number(ends[1]) else { return nil }
            if count == 0 { return RangeSelection.none }
            return size == 0 ? .whole : .part(max(0, size - count)..<size)
        }
        guard let first = number(ends[0]) else { return nil }
        let last = ends[1].isEmpty ? Int.max : number(ends[1])
        guard let last, first <= last else { return nil }
        return first < size ? .part(first..<min(last, size - 1) + 1) : RangeSelection.none
    }

    /// Digits only; what is beyond every file is `Int.max`.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text) ?? .max
    }
}
