import Foundation
import TestSupport
import Testing

/// What was once found, and what the program itself writes, is tried without a fuzzer too.
///
/// `corpus/TARGET` has an input a line, in base64: together they reach all the code that libFuzzer reached.
/// `regressions/TARGET` has a file for each input that once broke a promise, named by what it is.
@Suite struct CorpusTests {
    private static let home = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
    private static let names = FuzzTarget.all.map(\.name)

    @Test(arguments: names) func everyKeptInputKeepsItsTargetsPromise(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let folder = TemporaryFolder(inMemory: true)
        for seed in try target.seeds() { try target.check(seed, folder.path) }
        for (what, input) in try Self.kept(name) + Self.regressions(name) {
            #expect(throws: Never.self, "\(what)") { try target.check(Array(input), folder.path) }
        }
    }

    @Test func everythingKeptBelongsToATarget() {
        #expect(Set(Self.entries("corpus") + Self.entries("regressions")).isSubset(of: Self.names))
    }

    /// The lines of a target's corpus; of some targets nothing is kept.
    private static func kept(_ name: String) throws -> [(String, Data)] {
        guard let text = try? String(contentsOfFile: home + "/corpus/" + name, encoding: .utf8) else {
            return []
        }
        return try text.split(separator: "\n").enumerated().map { index, line in
            let what = "corpus/\(name):\(index + 1)"
            return (what, try #require(Data(base64Encoded: String(line)), "\(what) is not base64"))
        }
    }

    private static func regressions(_ name: String) throws -> [(String, Data)] {
        try entries("regressions/" + name).map { file in
            let what = "regressions/\(name)/\(file)"
            return (what, try #require(FileManager.default.contents(atPath: home + "/" + what)))
        }
    }

    private static func entries(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: home + "/" + folder)) ?? []).sorted()
    }
}
