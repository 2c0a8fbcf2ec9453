/// A Swift source in which comments and string literals are blank: what is left is code, at its own place.
struct SwiftText {
    /// An `import` as it is written.
    struct Import: Equatable {
        var line: Int
        var module: String
        /// With their at sign: `@testable`, `@preconcurrency`.
        var attributes: [String]
    }

    /// A word of the code: a name, a keyword, an attribute with its at sign.
    struct Word: Equatable {
        var line: Int
        var text: String
        /// The character after the word, blanks aside: a `(` makes it a call.
        var next: Character?
        /// The character before the word, blanks aside: a `.` makes it a member.
        var previous: Character?
        /// The word follows `func`: it is declared here, not used.
        var isDeclared: Bool
        /// How many braces are open around it.
        var depth: Int
    }

    let words: [Word]

    init(_ source: String) {
        words = SwiftText.words(of: SwiftText.blanked(Array(source)))
    }

    private static func words(of code: [Character]) -> [Word] {
        var words: [Word] = []
        var line = 1
        var i = 0
        var previous: Character?
        var depth = 0
        while i < code.count {
            let c = code[i]
            if c == "\n" { line += 1 }
            if c == "{" { depth += 1 }
            if c == "}" { depth -= 1 }
            guard c.isLetter || c == "_" || c == "@" else {
                if !c.isWhitespace { previous = c }
                i += 1
                continue
            }
            var j = i + 1
            while j < code.count, code[j].isLetter || code[j].isNumber || code[j] == "_" { j += 1 }
            let next = code[j...].first { !$0.isWhitespace }
            let isDeclared = words.last?.text == "func"
            words.append(
                Word(
                    line: line, text: String(code[i..<j]), next: next, previous: previous,
                    isDeclared: isDeclared, depth: depth))
            previous = code[j - 1]
            i = j
        }
        return words
    }

    var imports: [Import] {
        let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
        let words = words
        var found: [Import] = []
        for (i, word) in words.enumerated()
        where word.text == "import" && word.previous != "." && word.previous != "`" {
            guard let target = words[(i + 1)...].first(where: { !kinds.contains($0.text) }) else { continue }
            // Attributes and access words stand before the keyword; the first other word ends them.
            let before = words[..<i].reversed().prefix { $0.text.hasPrefix("@") || access.contains($0.text) }
            let attributes = before.map(\.text).filter { $0.hasPrefix("@") }
            found.append(Import(line: word.line, module: target.text, attributes: attributes.reversed()))
        }
        return found
    }

    private let access: Set = ["public", "package", "internal", "fileprivate", "private", "exported"]

    private static func blanked(_ source: [Character]) -> [Character] {
        var out = source
        var i = 0
        func starts(_ text: String, at k: Int) -> Bool {
            var k = k
            for c in text {
                guard k < source.count, source[k] == c else { return false }
                k += 1
            }
            return true
        }
        func blank(_ range: Range<Int>) {
            for k in range where k < out.count && out[k] != "\n" { out[k] = " " }
        }
        while i < source.count {
            if starts("//", at: i) {
                let end = source[i...].firstIndex(of: "\n") ?? source.count
                blank(i..<end)
                i = end
            } else if starts("/*", at: i) {
                var depth = 1
                var k = i + 2
                while k < source.count, depth > 0 {
                    if starts("/*", at: k) {
                        depth += 1
                        k += 2
                    } else if starts("*/", at: k) {
                        depth -= 1
                        k += 2
                    } else {
                        k += 1
                    }
                }
                blank(i..<k)
                i = k
            } else if source[i] == "\"" || starts("#\"", at: i) || starts("##\"", at: i) {
                let end = endOfString(source, from: i)
                blank(i..<end)
                i = end
            } else {
                i += 1
            }
        }
        return out
    }

    /// The place after the string literal that begins at `start`. Interpolations count as part of it.
    private static func endOfString(_ source: [Character], from start: Int) -> Int {
        var i = start
        var hashes = 0
        while source[i] == "#" {
            hashes += 1
            i += 1
        }
        let quotes = i + 2 < source.count && source[i + 1] == "\"" && source[i + 2] == "\"" ? 3 : 1
        i += quotes
        while i < source.count {
            if source[i] == "\\", hashes == 0 {
                i += 2
            } else if source[i] == "\n", quotes == 1 {
                return i  // A literal that is not closed on its line: the compiler's business.
            } else if i + quotes + hashes <= source.count,
                source[i..<(i + quotes)].allSatisfy({ $0 == "\"" }),
                source[(i + quotes)..<(i + quotes + hashes)].allSatisfy({ $0 == "#" })
            {
                return i + quotes + hashes
            } else {
                i += 1
            }
        }
        return source.count
    }
}
