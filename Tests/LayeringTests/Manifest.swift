/// The targets of `Package.swift`, read from its text.
struct Manifest {
    struct Target: Equatable {
        var name: String
        var dependencies: Set<String>
        /// Relative to the package.
        var folder: String
    }

    let targets: [Target]

    init(_ text: String) {
        targets = text.matches(
            of:
                #/(?m)^[^\n"/]*?\b(?<kind>target|executableTarget|systemLibrary|testTarget|tests)\(\s*(?:name: )?"(?<name>[^"]+)"/#
        )
        .map { match in
            let call = Manifest.call(in: text, from: match.range.lowerBound)
            let kind = match.output.kind
            let home = kind == "tests" || kind == "testTarget" ? "Tests/" : "Sources/"
            let name = String(match.output.name)
            let path = call.firstMatch(of: #/path: "([^"]+)"/#).map { String($0.output.1) }
            return Target(
                name: name, dependencies: Manifest.dependencies(in: call), folder: path ?? home + name)
        }
    }

    func target(_ name: String) -> Target? { targets.first { $0.name == name } }

    /// From the start of a call to the parenthesis that closes it.
    private static func call(in text: String, from start: String.Index) -> Substring {
        var depth = 0
        var i = start
        while i < text.endIndex {
            if text[i] == "(" { depth += 1 }
            if text[i] == ")" {
                depth -= 1
                if depth == 0 { return text[start...i] }
            }
            i = text.index(after: i)
        }
        return text[start...]
    }

    /// Dependencies are labelled, or the one list of the short spelling.
    private static func dependencies(in call: Substring) -> Set<String> {
        let list: Substring?
        if call.contains("name: ") {
            list = call.firstMatch(of: #/dependencies: \[([^\]]*)\]/#)?.output.1
        } else {
            list = call.firstMatch(of: #/\[([^\]]*)\]/#)?.output.1
        }
        return Set((list ?? "").matches(of: #/"([^"]+)"/#).map { String($0.output.1) })
    }
}
