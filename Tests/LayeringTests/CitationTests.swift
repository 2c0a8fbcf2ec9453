import Foundation
import Testing

/// What a comment cites as ours stands in the repository.
@Suite("Citations")
struct CitationTests {
    @Test func everySectionThatIsCitedExists() throws {
        var cited = 0
        for file in try Citations.files() {
            for citation in Citations.sections(in: file.text) {
                cited += 1
                #expect(
                    try Citations.headings(of: citation.page).contains(citation.section),
                    "\(file.path): \(citation.page) has no section \"\(citation.section)\"")
            }
        }
        #expect(cited > 10)
    }

    @Test func everyPlaceThatIsCitedExists() throws {
        var cited = 0
        for file in try Citations.files() {
            for place in Citations.places(in: file.text) {
                cited += 1
                #expect(
                    FileManager.default.fileExists(atPath: Repository.root + "/" + place),
                    "\(file.path): there is no \(place)")
            }
        }
        #expect(cited > 10)
    }

    /// "The specification" that nobody can open is no source.
    @Test func noSourceCitesAPageThatIsNotHere() throws {
        for file in try Repository.files(in: ["Sources"]) where file.isCode {
            for (number, line) in Wording.lines(of: file.text, matching: Citations.elsewhere) {
                Issue.record("\(file.path):\(number): \(line)")
            }
        }
    }

    @Test func aCitationIsReadAcrossTheEndOfALine() {
        let text = """
            /// Source of the table: SPECIFICATION.md, "Limits, and what
            /// ends a turn"; the layout: FORMATS.md,
            /// "Manifest".
            let a = 1  // see board/deps and Tests/None.
            """
        #expect(
            Citations.sections(in: text).map { "\($0.page) \($0.section)" }
                == ["SPECIFICATION.md Limits, and what ends a turn", "FORMATS.md Manifest"])
        #expect(Citations.places(in: text) == ["board/deps", "Tests/None"])
    }

    @Test(arguments: ["/// Source: the turn's specification, \"Gestures\".", "// in order (spec: 2-board)"])
    func aPageThatIsNotHereIsFound(line: String) {
        #expect(Wording.lines(of: line, matching: Citations.elsewhere).count == 1)
    }
}

/// What comments point at.
enum Citations {
    /// All code but this folder's, whose examples cite what is not there.
    static func files() throws -> [Repository.File] {
        try Repository.files(in: ["Sources", "Tests"]).filter { $0.isCode && $0.target != "LayeringTests" }
    }

    /// Sections of our pages, in the form `PAGE.md, "Section"`.
    static func sections(in text: String) -> [(page: String, section: String)] {
        unwrapped(text).matches(of: #/([A-Z]+\.md), "([^"]+)"/#).map { (String($0.1), String($0.2)) }
    }

    /// Files and folders of the repository that comments name by their way from its top.
    static func places(in text: String) -> [String] {
        comments(in: text).flatMap { comment in
            comment.matches(of: #/\b(?:Sources|Tests|board|cross)\/[A-Za-z0-9_+.\/-]*[A-Za-z0-9_-]/#)
                .map { String($0.output) }
                // Capitals stand for any name.
                .filter { !$0.contains(#/\/[A-Z]+(?:\.|$)/#) }
        }
    }

    static func headings(of page: String) throws -> Set<String> {
        let text = try String(contentsOfFile: Repository.root + "/Sources/" + page, encoding: .utf8)
        return Set(text.matches(of: #/(?m)^#+ (.+)$/#).map { String($0.1) })
    }

    /// Our specification under any other name than its file's.
    static var elsewhere: Regex<Substring> {
        #/[Ss]pecification(?!s|\.md)|\(spec: |\bthe spec\b|\bspec's\b|\bspec\/|\bSPECIFICATION\b(?!\.md)/#
    }

    private static func comments(in text: String) -> [Substring] {
        text.split(separator: "\n").compactMap { line in
            line.firstRange(of: "//").map { line[$0.upperBound...] }
        }
    }

    /// With the line breaks inside comments taken out.
    private static func unwrapped(_ text: String) -> String {
        text.replacing(#/\n *\/\/\/? */#, with: " ")
    }
}

extension Repository.File {
    fileprivate var isCode: Bool {
        path.hasSuffix(".swift") || path.hasSuffix(".c") || path.hasSuffix(".h")
    }
}
