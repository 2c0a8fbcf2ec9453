import TestSupport
import Testing

@testable import Wire

struct JSONTests {
    static let documents: [(String, JSON)] = [
        ("null", .null), ("true", true), (" [ ] ", []), ("{}", [:]), ("-0", .double(-0.0)), ("12", 12),
        ("1.5e3", .double(1500)), ("\"\\u00e9\\ud83d\\ude00\\n\"", "é😀\n"),
        ("{\"b\":1,\"a\":[null,{}]}", ["b": 1, "a": [nil, [:]]]),
        ("9223372036854775807", .int(.max)), ("9223372036854775808", .double(9_223_372_036_854_775_808)),
    ]

    @Test(arguments: documents)
    func documentsOfTheStandardAreRead(text: String, value: JSON) throws {
        #expect(try JSON(parsing: Array(text.utf8)) == value)
    }
}
