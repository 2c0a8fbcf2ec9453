extension String {
    /// As it may stand in a terminal: one line, without a character that moves, colours or turns what follows. Texts of
    /// a manifest are whatever a device sent.
    var plain: String {
        var text = UnicodeScalarView()
        for scalar in unicodeScalars { text.append(Self.isPlain(scalar) ? scalar : "\u{FFFD}") }
        return String(text)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        // The categories are Unicode's own, not ours: every other one is shown.
        default: true
        }
    }
}
