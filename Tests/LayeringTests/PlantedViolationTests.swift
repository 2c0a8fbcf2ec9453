import Testing

/// The checks, shown that they can fail.
@Suite("Planted violations")
struct PlantedViolationTests {
    private func reasons(_ target: String, _ source: String) -> [String] {
        LayerCheck.violations(target: target, file: "Planted.swift", source: source).map(\.why)
    }

    @Test(arguments: [
        ("Turn", "import Foundation"),
        ("Turn", "import Glibc"),
        ("Turn", "import Synchronization"),
        ("DeviceMachine", "import Glibc"),
        ("DeviceMachine", "import Threads"),
        ("Wire", "import struct Foundation.Data"),
        ("Wire", "@preconcurrency import Foundation"),
        ("Wire", "struct A {}; import Foundation"),
        ("Wire", "#if canImport(Foundation)\nimport Foundation\n#endif"),
        ("Outbox", "internal import FoundationEssentials"),
        ("Device", "@preconcurrency import Foundation"),
        ("Device", "import\n    Foundation"),
        ("Device", "import /* only for now */ Foundation"),
        ("lapel", "import Outbox"),
        ("Shipper", "import CSodium"),
        ("Shipper", "import CCurl"),
        ("Host", "import CSQLite"),
        ("Receiver", "import CGnuTLS"),
        ("Hardware", "import Turn"),
        ("ALSAAudio", "import Device"),
        ("Gadgets", "let a = 1"),
        ("Device", "let home = FileManager.default"),
        ("Outbox", "let queue = DispatchQueue(label: \"a\")"),
        ("Turn", "let now = ContinuousClock().now"),
        ("Wire", "func f() { print(1) }"),
        ("Cues", "let n = Int.random(in: 0..<3, using: &s); var s = SystemRandomNumberGenerator()"),
        ("ALSAAudio", "@preconcurrency import Glibc"),
        ("ALSAAudio", "@_exported import CALSA"),
    ])
    func isFound(target: String, source: String) {
        #expect(reasons(target, source).count == 1, "\(reasons(target, source))")
    }

    @Test(arguments: [
        ("Turn", "// import Foundation"),
        ("Turn", "/* import Foundation /* nested */ import Glibc */"),
        ("Turn", "let s = \"import Foundation\""),
        ("Turn", "let s = #\"a \"quoted\" import Foundation\"#"),
        ("Turn", "let s = \"\"\"\nimport Foundation\n\"\"\""),
        ("Turn", "let s = \"\\\"\" // import Foundation"),
        ("Turn", "enum A { case `import` }; let a = A.import"),
        ("Wire", "struct Sheet { func print() {} }; func f(_ s: Sheet) { s.print() }"),
        ("EndOfSpeech", "import CMath"),
        ("ALSAAudio", "import CALSA\nimport Glibc\nimport Hardware"),
        ("Host", "import Foundation\nlet a = FileManager.default"),
        ("Device", "import FoundationEssentials\nimport Turn"),
    ])
    func isNotFoundWhereThereIsNone(target: String, source: String) {
        #expect(reasons(target, source) == [])
    }

    @Test func aViolationNamesItsLine() {
        let found = LayerCheck.violations(
            target: "Turn", file: "A.swift", source: "// one\n\n  import Glibc\n")
        #expect(found.map(\.description) == ["A.swift:3: Turn may not import Glibc"])
    }

    @Test func theManifestIsReadInAllItsSpellings() {
        let manifest = Manifest(
            """
            func target(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
                .target(name: name, dependencies: dependencies)
            }
            let package = Package(name: "p", targets: [
                target("A"),
                // target("Gone"),
                target("B", ["A", "C"]),
                .systemLibrary(name: "C"),
                .target(
                    name: "D",
                    linkerSettings: [.linkedLibrary("asound")]),
                .executableTarget(name: "e", dependencies: ["B"], swiftSettings: strict),
                .target(name: "F", path: "Tests/F"),
                tests(
                    "BTests",
                    ["B"]),
            ])
            """)
        #expect(
            manifest.targets == [
                .init(name: "A", dependencies: [], folder: "Sources/A"),
                .init(name: "B", dependencies: ["A", "C"], folder: "Sources/B"),
                .init(name: "C", dependencies: [], folder: "Sources/C"),
                .init(name: "D", dependencies: [], folder: "Sources/D"),
                .init(name: "e", dependencies: ["B"], folder: "Sources/e"),
                .init(name: "F", dependencies: [], folder: "Tests/F"),
                .init(name: "BTests", dependencies: ["B"], folder: "Tests/BTests"),
            ])
    }
}
