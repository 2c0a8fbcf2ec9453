/// A value that goes into or comes out of a statement: SQLite's five storage classes.
enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// `.null` for nil.
    static func text(optional value: String?) -> SQLValue { value.map(SQLValue.text) ?? .null }
    /// `.null` for nil.
    static func integer(optional value: Int64?) -> SQLValue { value.map(SQLValue.integer) ?? .null }
    /// `.null` for nil.
    static func real(optional value: Double?) -> SQLValue { value.map(SQLValue.real) ?? .null }
}

/// One row of an answer, its columns in the order of the statement.
struct SQLRow: Equatable, Sendable {
    /// One for each column.
    let values: [SQLValue]

    init(_ values: [SQLValue]) { self.values = values }

    /// Nil for null and for another storage class.
    func text(_ column: Int) -> String? {
        if case .text(let text) = values[column] { text } else { nil }
    }

    /// Nil for null and for another storage class.
    func integer(_ column: Int) -> Int64? {
        if case .integer(let integer) = values[column] { integer } else { nil }
    }

    /// An integer counts as its real value; nil for null, text and blob.
    func real(_ column: Int) -> Double? {
        switch values[column] {
        case .real(let real): real
        case .integer(let integer): Double(integer)
        case .null, .text, .blob: nil
        }
    }

    /// Nil for null and for another storage class.
    func blob(_ column: Int) -> [UInt8]? {
        if case .blob(let blob) = values[column] { blob } else { nil }
    }
}
