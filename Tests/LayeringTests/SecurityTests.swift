import Foundation
import Testing

/// What `board/SECURITY.md` claims is held by tests that exist, or is said to have none.
@Suite("The threat model")
struct SecurityTests {
    private let text: String

    init() throws {
        text = try String(contentsOfFile: Repository.root + "/board/SECURITY.md", encoding: .utf8)
    }

    @Test func everyTestThatItNamesExists() throws {
        let tests = Set(
            try Repository.files(in: ["Tests"], ending: ".swift").flatMap { Self.tests(in: $0.text) })
        let named = text.matches(of: #/`([a-z]+[A-Z][A-Za-z0-9]*)`/#).map { String($0.output.1) }
        #expect(named.count > 50)
        for name in named { #expect(tests.contains(name), "there is no test \(name)") }
    }

    @Test func everyCheckThatItNamesCanBeRun() {
        let named = text.matches(of: #/`board/test ([a-z-]+)`/#).map { String($0.output.1) }
        #expect(named.count > 2)
        for check in named {
            let files = [".sh", ".py", "/run"].map { "\(Repository.root)/board/checks/\(check)\($0)" }
            #expect(files.contains(where: FileManager.default.isExecutableFile), "there is no check \(check)")
        }
    }

    @Test func everyFuzzTargetIsNamedAndEveryNamedOneExists() throws {
        let sources = try Repository.files(in: ["Tests/Fuzz"], ending: ".swift").map(\.text).joined()
        let targets = sources.matches(of: #/FuzzTarget\(\s*name: "([a-z-]+)"/#).map { String($0.output.1) }
        // Those of the formats of sound have the formats' names.
        let all = Set(targets).union(["opus", "flac", "wav"])
        let named = Set(text.matches(of: #/`fuzz ([a-z-]+)`/#).map { String($0.output.1) })
        #expect(named == all)
    }

    @Test func everyClaimNamesWhatHoldsItOrSaysThatNothingDoes() {
        var isHeld = false
        var claims = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                isHeld = false
                continue
            }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            if cells.contains(where: { $0.contains("held by") }) { isHeld = true }
            guard isHeld, !line.hasPrefix("|---"), !line.contains("held by"), let last = cells.dropLast().last
            else { continue }
            claims += 1
            let isNamed = last.contains("no test") || last.contains(#/`[a-z]+[A-Z]\w*`|`fuzz |`board/test /#)
            #expect(isNamed, "nothing holds: \(line)")
        }
        #expect(claims > 20)
    }

    /// The names of a source's test functions.
    private static func tests(in source: String) -> [String] {
        var names: [String] = []
        var isTest = false
        let words = SwiftText(source).words
        for (word, next) in zip(words, words.dropFirst()) {
            if word.text == "@Test" { isTest = true }
            if word.text == "func", isTest {
                names.append(next.text)
                isTest = false
            }
        }
        return names
    }
}
