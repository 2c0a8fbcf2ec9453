import TestSupport
import Testing

@testable import Wire

struct JSONFuzzTests {
    private func value(_ random: inout SeededGenerator, depth: Int) -> JSON {
        switch Int.random(in: 0..<(depth > 4 ? 5 : 7), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .int(Int64(bitPattern: random.next() >> UInt64.random(in: 0..<64, using: &random)))
        case 3:
            let bits = Double(bitPattern: random.next())
            return .double(bits.isFinite ? bits : 0.1)
        case 4: return .string(text(&random))
        case 5:
            return .array(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in value(&random, depth: depth + 1) })
        default:
            return .object(
                (0..<Int.random(in: 0..<5, using: &random)).map {
                    ("\($0)" + text(&random), value(&random, depth: depth + 1))
                })
        }
    }

    private func text(_ random: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<8, using: &random) {
            let ranges: [ClosedRange<UInt32>] = [0...127, 0...0x7FF, 0...0xFFFF, 0...0x10FFFF]
            let range = ranges[Int.random(in: 0..<4, using: &random)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }

    @Test func whatIsWrittenIsReadBackTheSame() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<10_000 {
            let value = value(&random, depth: 0)
            let read = try JSON(parsing: value.bytes)
            guard read == value, read.bytes == value.bytes else {
                Issue.record("\(value.text) became \(read.text)")
                return
            }
        }
    }

    @Test func damagedDocumentsAreRefusedOrReadButNeverTrap() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<10_000 {
            var bytes = value(&random, depth: 0).bytes
            for _ in 0..<3 where !bytes.isEmpty {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: at)
                default: bytes = Array(bytes[..<at])
                }
            }
            // What is accepted is a document: it can be written and read again.
            guard let read = try? JSON(parsing: bytes) else { continue }
            guard (try? JSON(parsing: read.bytes)) == read else {
                Issue.record("\(bytes)")
                return
            }
        }
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "tru", "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x10", "NaN", "Infinity",
        "1 2",
        "[1,]", "[,1]", "[1", "]", "{\"a\":1,}", "{\"a\"}", "{a:1}", "{\"a\":1", "{1:2}", "{\"a\":1,\"a\":2}",
        "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\u{1}\"",
        "\"\n\"",
        "'a'", "1e999", "-1e999", "[1]x", "\u{feff}1", "/* */1",
    ])
    func whatIsNotJSONIsRefused(text: String) {
        #expect(throws: WireError.self) { try JSON(parsing: Array(text.utf8)) }
    }

    @Test(arguments: [
        [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
        [0x22, 0xE2, 0x82, 0x22],
    ])
    func stringsThatAreNotUTF8AreRefused(bytes: [UInt8]) {
        #expect(throws: WireError.self) { try JSON(parsing: bytes) }
    }

    @Test func nestingHasALimit() throws {
        func nested(_ depth: Int, _ open: String, _ close: String) -> [UInt8] {
            Array((String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
        }
        _ = try JSON(parsing: nested(64, "[", "]"))
        _ = try JSON(parsing: nested(64, "{\"a\":", "}"))
        #expect(throws: WireError.self) { try JSON(parsing: nested(65, "[", "]")) }
        #expect(throws: WireError.self) {
            try JSON(parsing: Array(repeating: UInt8(ascii: "["), count: 1_000_000))
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func aNumberThatIsNoneIsWrittenAsNull(value: Double) {
        #expect(JSON.array([.double(value)]).text == "[null]")
    }

    @Test(arguments: [
        (0.1, "0.1"), (1, "1.0"), (-0.0, "-0.0"), (Double.leastNonzeroMagnitude, "5e-324"), (1e22, "1e+22"),
        (123_456.75, "123456.75"),
    ])
    func doublesAreWrittenShortest(value: Double, text: String) {
        #expect(JSON.double(value).text == text)
    }

    @Test func controlCharactersAndQuotesAreEscaped() {
        #expect(
            JSON.string("\"\\\n\r\t\u{1}\u{7f}\u{80}\u{9b}\u{9f}\u{a0}é/").text
                == "\"\\\"\\\\\\n\\r\\t\\u0001\\u007f\\u0080\\u009b\\u009f\u{a0}é/\"")
    }
}
