/// The parameters of a request's query: `?wait=25&after=7`, decoded as a form (URL Standard, 5.1).
package struct Query: Equatable, Sendable {
    /// So many at most; their length is bounded by the connection's memory.
    static let most = 64

    private var values: [String: String] = [:]

    package init() {}

    /// From names and values that are apart and still percent-encoded; a name without `=` has an empty value. Nil when
    /// there are too many, or one is not properly encoded text.
    init?(encoded: [(name: String, value: String)]) {
        guard encoded.count <= Self.most else { return nil }
        for (name, value) in encoded {
            guard let name = percentDecoded(name), let value = percentDecoded(value) else { return nil }
            if values[name] == nil { values[name] = value }
        }
    }

    /// Nil when there is no such parameter. Of several of one name the first counts.
    package subscript(name: String) -> String? { values[name] }
}

/// Each `%` and two hexadecimal digits as the byte they stand for. Nil for another `%`, and when the bytes are not UTF-8
/// or hold a control character: no text of a request has one.
func percentDecoded(_ text: String) -> String? {
    func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        case _: nil
        }
    }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
            return nil
        }
        bytes.append(high << 4 | low)
    }
    guard bytes.allSatisfy({ $0 >= 32 && $0 != 127 }) else { return nil }
    return String(validating: bytes, as: UTF8.self)
}
