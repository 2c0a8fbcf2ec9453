/// Typed reading of a JSON object: every mistake becomes an error that names the document and the field.
///
/// `optional…` takes a missing field and `null` for "not there"; a value of another type is always an error.
package struct JSONFields: Sendable {
    private let document: String
    private let values: [String: JSON]

    /// Throws when `json` is not an object.
    package init(_ json: JSON, document: String) throws(WireError) {
        guard let members = json.members else {
            throw .field(document: document, name: "(whole)", reason: "is not a JSON object")
        }
        self.document = document
        // A document built by hand may name a key twice; the first one counts, as in the subscript of `JSON`.
        values = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    package func wrong(_ name: String, _ reason: String) -> WireError {
        .field(document: document, name: name, reason: reason)
    }

    /// Whether the field is there and not null.
    package func has(_ name: String) -> Bool { values[name].map { !$0.isNull } ?? false }

    package func text(_ name: String) throws(WireError) -> String {
        guard let value = values[name]?.string else { throw wrong(name, "is not there or not a text") }
        return value
    }

    package func integer(_ name: String) throws(WireError) -> Int {
        guard let value = values[name]?.int else { throw wrong(name, "is not there or not a whole number") }
        return value
    }

    /// An integer from 0.
    package func count(_ name: String) throws(WireError) -> Int {
        let value = try integer(name)
        guard value >= 0 else { throw wrong(name, "is below zero") }
        return value
    }

    package func number(_ name: String) throws(WireError) -> Double {
        guard let value = values[name]?.double else { throw wrong(name, "is not there or not a number") }
        return value
    }

    package func flag(_ name: String) throws(WireError) -> Bool {
        guard let value = values[name]?.bool else {
            throw wrong(name, "is not there or neither true nor false")
        }
        return value
    }

    package func list(_ name: String) throws(WireError) -> [JSON] {
        guard let value = values[name]?.elements else { throw wrong(name, "is not there or not a list") }
        return value
    }

    package func members(_ name: String) throws(WireError) -> [(key: String, value: JSON)] {
        guard let value = values[name]?.members else { throw wrong(name, "is not there or not an object") }
        return value
    }

    package func object(_ name: String) throws(WireError) -> JSONFields {
        guard let value = values[name] else { throw wrong(name, "is not there") }
        return try JSONFields(value, document: document + "'s " + name)
    }

    package func optionalText(_ name: String) throws(WireError) -> String? {
        has(name) ? try text(name) : nil
    }
    package func optionalInteger(_ name: String) throws(WireError) -> Int? {
        has(name) ? try integer(name) : nil
    }
    package func optionalCount(_ name: String) throws(WireError) -> Int? { has(name) ? try count(name) : nil }
    package func optionalNumber(_ name: String) throws(WireError) -> Double? {
        has(name) ? try number(name) : nil
    }
    package func optionalBool(_ name: String) throws(WireError) -> Bool? { has(name) ? try flag(name) : nil }
}
