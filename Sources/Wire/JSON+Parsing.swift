extension JSON {
    /// Arrays and objects may nest this deep; a deeper document would only be an attack on the stack.
    package static let depthLimit = 64

    /// Reads one value by RFC 8259 and nothing more: no trailing bytes, no duplicate keys, no lone surrogates,
    /// no number beyond a double. The caller bounds the size.
    package init(parsing bytes: [UInt8]) throws(WireError) {
        var reader = JSONReader(bytes: bytes)
        self = try reader.document()
    }
}

private struct JSONReader {
    let bytes: [UInt8]
    var at = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(WireError) -> JSON {
        let value = try value(depth: 0)
        skipSpace()
        guard at == bytes.count else { throw wrong("more follows after the value") }
        return value
    }

    private func wrong(_ reason: String) -> WireError { .json(at: at, reason: reason) }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skipSpace() {
        while let c = next, c == 32 || c == 10 || c == 13 || c == 9 { at += 1 }
    }

    private mutating func take(_ c: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: c) else { return false }
        at += 1
        return true
    }

    private mutating func value(depth: Int) throws(WireError) -> JSON {
        skipSpace()
        guard let c = next else { throw wrong("it ends where a value should be") }
        switch c {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw wrong("no value begins like this")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(WireError) -> JSON {
        let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[at...].starts(with: letters) else { throw wrong("no value begins like this") }
        at += letters.count
        return value
    }

    private mutating func array(depth: Int) throws(WireError) -> JSON {
        guard depth < JSON.depthLimit else { throw wrong("it nests deeper than \(JSON.depthLimit)") }
        at += 1
        var values: [JSON] = []
        skipSpace()
        if take("]") { return .array(values) }
        while true {
            values.append(try value(depth: depth + 1))
            skipSpace()
            if take("]") { return .array(values) }
            guard take(",") else { throw wrong("a comma or ] is missing") }
        }
    }

    private mutating func object(depth: Int) throws(WireError) -> JSON {
        guard depth < JSON.depthLimit else { throw wrong("it nests deeper than \(JSON.depthLimit)") }
        at += 1
        var members: [(key: String, value: JSON)] = []
        var keys: Set<String> = []
        skipSpace()
        if take("}") { return .object(members) }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw wrong("a key is missing") }
            let key = try string()
            guard keys.insert(key).inserted else { throw wrong("a key stands twice in one object") }
            skipSpace()
            guard take(":") else { throw wrong("a colon is missing") }
            members.append((key, try value(depth: depth + 1)))
            skipSpace()
            if take("}") { return .object(members) }
            guard take(",") else { throw wrong("a comma or } is missing") }
        }
    }

    private mutating func number() throws(WireError) -> JSON {
        let start = at
        var whole = true
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") {
            whole = false
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            whole = false
            at += 1
            if !take("+") { _ = take("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        if whole, text != "-0", let value = Int64(text) { return .int(value) }
        guard let value = Double(text), value.isFinite else { throw wrong("a number is too large") }
        return .double(value)
    }

    private mutating func digits() throws(WireError) {
        let start = at
        while let c = next, (48...57).contains(c) { at += 1 }
        guard at > start else { throw wrong("a digit is missing") }
    }

    private mutating func string() throws(WireError) -> String {
        at += 1
        var text: [UInt8] = []
        while let c = next {
            switch c {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw wrong("a string is not UTF-8")
                }
                at += 1
                return string
            case UInt8(ascii: "\\"):
                at += 1
                try escape(into: &text)
            case 0..<32: throw wrong("a control character stands in a string")
            default:
                text.append(c)
                at += 1
            }
        }
        throw wrong("a string does not end")
    }

    private mutating func escape(into text: inout [UInt8]) throws(WireError) {
        guard let c = next else { throw wrong("a string does not end") }
        at += 1
        switch c {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(c)
        case UInt8(ascii: "b"): text.append(8)
        case UInt8(ascii: "f"): text.append(12)
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "r"): text.append(13)
        case UInt8(ascii: "t"): text.append(9)
        case UInt8(ascii: "u"):
            var code = try fourDigits()
            if (0xD800...0xDBFF).contains(code) {
                guard take("\\"), take("u") else { throw wrong("half a surrogate pair stands alone") }
                let low = try fourDigits()
                guard (0xDC00...0xDFFF).contains(low) else {
                    throw wrong("half a surrogate pair stands alone")
                }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw wrong("half a surrogate pair stands alone") }
            text += UTF8.encode(scalar).map(Array.init) ?? []
        default: throw wrong("a string holds an unknown escape")
        }
    }

    private mutating func fourDigits() throws(WireError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let c = next, let digit = Hex.value(of: c) else { throw wrong("\\u wants four digits") }
            code = code << 4 | UInt32(digit)
            at += 1
        }
        return code
    }
}
