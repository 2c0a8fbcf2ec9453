/// A JSON value (RFC 8259) whose objects keep their order: the only JSON in the project, for what travels, what
/// is stored and what `--json` prints.
///
/// Two objects are equal when their members are equal in the same order.
package indirect enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number written without fraction and exponent that fits 64 bits.
    case int(Int64)
    /// Any other number. A non-finite one is written as `null`.
    case double(Double)
    case string(String)
    case array([JSON])
    case object([(key: String, value: JSON)])

    /// Any integer that fits 64 bits; a larger one becomes a double.
    package static func integer(_ value: some BinaryInteger) -> JSON {
        Int64(exactly: value).map(JSON.int) ?? .double(Double(value))
    }

    /// The value, or `null`.
    package static func optional(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
    package static func optional(_ value: (some BinaryInteger)?) -> JSON {
        value.map { .integer($0) } ?? .null
    }
    package static func optional(_ value: Double?) -> JSON { value.map(JSON.double) ?? .null }
    package static func optional(_ value: Bool?) -> JSON { value.map(JSON.bool) ?? .null }

    package static func == (a: JSON, b: JSON) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.string(let a), .string(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a.elementsEqual(b) { $0.key == $1.key && $0.value == $1.value }
        case (.null, _), (.bool, _), (.int, _), (.double, _), (.string, _), (.array, _), (.object, _): false
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(nilLiteral: ()) { self = .null }
    /// Keeps the order of the literal.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { (key: $0.0, value: $0.1) })
    }
}

extension JSON {
    /// The member of an object; nil for a missing key and for anything that is not an object.
    package subscript(key: String) -> JSON? { members?.first { $0.key == key }?.value }

    package var members: [(key: String, value: JSON)]? { if case .object(let v) = self { v } else { nil } }
    package var elements: [JSON]? { if case .array(let v) = self { v } else { nil } }
    package var string: String? { if case .string(let v) = self { v } else { nil } }
    package var bool: Bool? { if case .bool(let v) = self { v } else { nil } }
    package var isNull: Bool { if case .null = self { true } else { false } }
    /// An integer, or a double that is exactly one.
    package var int: Int? {
        switch self {
        case .int(let v): Int(exactly: v)
        case .double(let v): Int(exactly: v)
        case .null, .bool, .string, .array, .object: nil
        }
    }
    /// Any number.
    package var double: Double? {
        switch self {
        case .int(let v): Double(v)
        case .double(let v): v
        case .null, .bool, .string, .array, .object: nil
        }
    }
}
