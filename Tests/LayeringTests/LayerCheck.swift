/// A line that breaks the house's rules, and why.
struct Violation: Hashable, CustomStringConvertible {
    var file: String
    var line: Int
    var why: String

    var description: String { "\(file):\(line): \(why)" }
}

/// The layering rules as a function of a target's name and one source's text.
enum LayerCheck {
    static func violations(target: String, file: String, source: String) -> [Violation] {
        guard let allowed = Layers.allowed[target] else {
            return [Violation(file: file, line: 1, why: "target \(target) is not in the table of layers")]
        }
        let text = SwiftText(source)
        var found: [Violation] = []
        func violation(_ line: Int, _ why: String) {
            found.append(Violation(file: file, line: line, why: why))
        }
        for item in text.imports {
            if !allowed.contains(item.module) {
                violation(item.line, "\(target) may not import \(item.module)")
            } else if let owner = Layers.owner[item.module], owner != target {
                violation(item.line, "\(item.module) belongs to \(owner)")
            } else if let attribute = item.attributes.first {
                violation(item.line, "\(attribute) on an import hides what the import does")
            }
        }
        for word in text.words {
            if let why = misuse(of: word, in: target, allowed: allowed) { violation(word.line, why) }
        }
        return found
    }

    /// What can be used without an import of its own, because some other module brought it along or because
    /// the standard library has it.
    private static func misuse(of word: SwiftText.Word, in target: String, allowed: Set<String>) -> String? {
        if foundationNames.contains(word.text), !allowed.contains("Foundation") {
            return "\(word.text) is Foundation's, which \(target) must not link"
        }
        guard Layers.pure.contains(target) else { return nil }
        if clockNames.contains(word.text) {
            return "\(target) is pure: time is an argument, not \(word.text)"
        }
        if callNames.contains(word.text), word.next == "(", word.previous != ".", !word.isDeclared {
            return "\(target) is pure: \(word.text) is for drivers"
        }
        return nil
    }

    /// Names that only Foundation or Dispatch have; short ones that could be ours (Data, URL, Date) come by
    /// their import alone.
    private static let foundationNames: Set<String> = [
        "FileManager", "FileHandle", "ProcessInfo", "URLSession", "JSONEncoder", "JSONDecoder",
        "JSONSerialization",
        "DateFormatter", "ISO8601DateFormatter", "NSObject", "NSString", "NSLock", "NSRegularExpression",
        "RunLoop",
        "UserDefaults", "NotificationCenter", "DispatchQueue", "DispatchSemaphore", "DispatchGroup",
        "DispatchTime",
    ]
    private static let clockNames: Set<String> = [
        "ContinuousClock", "SuspendingClock", "SystemRandomNumberGenerator",
    ]
    private static let callNames: Set<String> = [
        "print", "debugPrint", "readLine", "fatalError", "Task", "sleep",
    ]
}
