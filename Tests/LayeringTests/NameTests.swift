import Testing

/// One name means one thing in the whole of Sources.
@Suite("Names")
struct NameTests {
    @Test func noTwoTypesAreAlike() throws {
        let sources = try Repository.files(in: ["Sources"], ending: ".swift")
        for (name, places) in Names.repeatedTypes(in: sources) {
            Issue.record("\(name) is declared in \(places.joined(separator: " and in "))")
        }
    }

    /// Every program has a `main.swift`.
    @Test func noTwoFilesAreAlike() throws {
        let sources = try Repository.files(in: ["Sources"], ending: ".swift")
        for (name, places) in Names.repeatedFiles(in: sources) where name != "main.swift" {
            Issue.record("\(name) stands at \(places.joined(separator: " and at "))")
        }
    }

    @Test func whatIsNamedTwiceIsFound() {
        let planted = [
            Repository.File(path: "Sources/A/One.swift", text: "package struct Same {}\nprivate enum Own {}"),
            Repository.File(path: "Sources/B/Two.swift", text: "final class Same { struct Inner {} }"),
            Repository.File(path: "Sources/C/One.swift", text: "enum Inner {}\nprivate struct Own {}"),
        ]
        #expect(Names.repeatedTypes(in: planted).map(\.name) == ["Same"])
        #expect(Names.repeatedFiles(in: planted).map(\.name) == ["One.swift"])
    }
}

/// What is named more than once.
enum Names {
    typealias Repeated = (name: String, places: [String])

    /// Types at the top level that more than their own file may see.
    static func repeatedTypes(in files: [Repository.File]) -> [Repeated] {
        repeated(files.flatMap { file in Declarations(SwiftText(file.text)).shared.map { ($0, file.path) } })
    }

    static func repeatedFiles(in files: [Repository.File]) -> [Repeated] {
        repeated(files.map { ($0.name, $0.path) })
    }

    private static func repeated(_ named: [(name: String, place: String)]) -> [Repeated] {
        Dictionary(grouping: named, by: \.name).filter { $0.value.count > 1 }
            .map { (name: $0.key, places: $0.value.map(\.place)) }.sorted { $0.name < $1.name }
    }
}
