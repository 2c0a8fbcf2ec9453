import CInput

/// A key or button of an input device, by the kernel's name for it.
package struct KeyName: Equatable, Sendable, CustomStringConvertible {
    package let description: String
    /// The kernel's code.
    let code: Int32

    /// `KEY_RECORD`, `BTN_0`, …; nil for a name that the kernel does not have.
    package init?(_ name: String) {
        guard let key = Self.table.first(where: { $0.name == name }) else { return nil }
        description = name
        code = key.code
    }

    /// Every name there is.
    package static var all: [String] { table.map(\.name) }

    static let table: [(name: String, code: Int32)] = (0..<Int32(LAPEL_KEY_COUNT)).map { index in
        let key = lapel_key_at(index)
        return (String(cString: key.name), key.code)
    }
}
