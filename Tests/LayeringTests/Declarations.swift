/// The types that a source declares at its top level, each once, in their order.
struct Declarations {
    /// Those that other files may name.
    private(set) var shared: [String] = []
    /// Those of this file alone.
    private(set) var ofTheFile: [String] = []

    private static let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    private static let narrow: Set = ["private", "fileprivate"]

    init(_ text: SwiftText) {
        var isNarrow = false
        var follows = false
        for word in text.words where word.depth == 0 && word.previous != "." {
            if follows {
                follows = false
                if isNarrow { ofTheFile.append(word.text) } else { shared.append(word.text) }
                isNarrow = false
            } else if Self.kinds.contains(word.text) {
                follows = true
            } else if Self.narrow.contains(word.text) {
                isNarrow = true
            } else if word.text == "func" || word.text == "let" || word.text == "var"
                || word.text == "extension"
            {
                isNarrow = false
            }
        }
    }
}
