import Foundation
import Testing

@testable import Host

/// The shipped `host.conf`, against what the program knows.
@Suite("The shipped host.conf")
struct HostConfTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.repository.appendingPathComponent(path), encoding: .utf8)
    }

    /// Its keys with the defaults that stand there.
    private func documented() throws -> [(key: String, value: String)] {
        try text("board/package/lapel-host/host.conf").split(separator: "\n")
            .filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") }
            .map { line in
                let parts = line.dropFirst().split(separator: "=", maxSplits: 1)
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                return (parts[0], parts.count > 1 ? parts[1] : "")
            }
    }

    @Test func everyDefaultThatStandsThereIsTheDefault() throws {
        for (key, value) in try documented() {
            var settings = HostSettings()
            try settings.set(key, value)
            settings.folder = nil  // the built-in place depends on who asks
            #expect(settings == HostSettings(), "\(key) = \(value)")
        }
    }

    @Test func everyKeyThatCanBeSetIsThere() throws {
        let keys = try Set(documented().map(\.key))
        let source = try text("Sources/Host/HostSettings.swift")
        let known = source.matches(of: #/(?m)^\s+case "([a-z_]+)":/#).map { String($0.output.1) }
        #expect(!known.isEmpty)
        for key in known { #expect(keys.contains(key), "host.conf does not document \(key)") }
    }
}
