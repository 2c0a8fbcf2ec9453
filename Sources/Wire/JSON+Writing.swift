extension JSON {
    /// Compact, on one line, valid UTF-8; doubles in the shortest form that reads back the same.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// `text` as UTF-8.
    package var bytes: [UInt8] {
        var out: [UInt8] = []
        write(to: &out)
        return out
    }

    private func write(to out: inout [UInt8]) {
        switch self {
        case .null: out += "null".utf8
        case .bool(let value): out += (value ? "true" : "false").utf8
        case .int(let value): out += String(value).utf8
        // Swift prints the shortest digits that read back the same; the forms it uses are JSON's as well.
        case .double(let value): out += (value.isFinite ? value.description : "null").utf8
        case .string(let value): Self.write(value, to: &out)
        case .array(let values):
            out.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                value.write(to: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .object(let members):
            out.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                Self.write(member.key, to: &out)
                out.append(UInt8(ascii: ":"))
                member.value.write(to: &out)
            }
            out.append(UInt8(ascii: "}"))
        }
    }

    /// Every control character is escaped, those above ASCII too: what a device sends is printed in terminals.
    private static func write(_ string: String, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\"".utf8
            case "\\": out += "\\\\".utf8
            case "\n": out += "\\n".utf8
            case "\r": out += "\\r".utf8
            case "\t": out += "\\t".utf8
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}":
                out += "\\u00\(Hex.encode([UInt8(scalar.value)]))".utf8
            default: out += scalar.utf8
            }
        }
        out.append(UInt8(ascii: "\""))
    }
}
