import Foundation
import TestSupport
import Testing

/// What was once found, and what the program itself writes, is tried without a fuzzer too.
@Suite struct CorpusTests {
    private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("corpus").path

    @Test(arguments: FuzzTarget.all.map(\.name)) func everyKeptInputKeepsItsTargetsPromise(name: String)
        throws
    {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let folder = TemporaryFolder(inMemory: true)
        for seed in try target.seeds() { try target.check(seed, folder.path) }
        let kept = Self.corpus + "/" + name
        // A target of which nothing is kept has no folder.
        for file in (try? FileManager.default.contentsOfDirectory(atPath: kept))?.sorted() ?? [] {
            let input = try #require(FileManager.default.contents(atPath: kept + "/" + file))
            #expect(throws: Never.self, "corpus/\(name)/\(file)") {
                try target.check(Array(input), folder.path)
            }
        }
    }

    @Test func everyFolderOfTheCorpusBelongsToATarget() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus)
        #expect(Set(folders).isSubset(of: FuzzTarget.all.map(\.name)))
    }
}
