/// Which line is meant: by its name over all chips, or by a chip's label and the offset on it. Never by a chip's
/// number, which changes from kernel to kernel.
package enum LineAddress: Equatable, Sendable, CustomStringConvertible {
    case name(String)
    case offset(chip: String, offset: Int)

    /// `GPIO17`, or `LABEL:17`.
    package init(_ text: String) {
        if let colon = text.lastIndex(of: ":"), colon != text.startIndex,
            let offset = Int(text[text.index(after: colon)...]), offset >= 0
        {
            self = .offset(chip: String(text[..<colon]), offset: offset)
        } else {
            self = .name(text)
        }
    }

    package var description: String {
        switch self {
        case .name(let name): name
        case .offset(let chip, let offset): "\(chip):\(offset)"
        }
    }
}

/// A line that exists and has a name.
package struct NamedLine: Equatable, Sendable {
    /// The chip's label.
    package let chip: String
    package let name: String

    package init(chip: String, name: String) {
        self.chip = chip
        self.name = name
    }
}
