import Foundation

/// The checkout this test was compiled from.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    struct File {
        /// Relative to the root.
        var path: String
        var text: String

        /// The folder under `Sources` or `Tests`.
        var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
        /// The last part of its path.
        var name: String { path.split(separator: "/").last.map(String.init) ?? "" }
        var lines: Int { text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 }
    }

    /// Every text file below these folders, links not followed below the first step.
    static func files(in folders: [String], ending: String = "") throws -> [File] {
        try folders.flatMap { folder -> [File] in
            let start = URL(fileURLWithPath: root + "/" + folder).resolvingSymlinksInPath().path
            let names = try FileManager.default.subpathsOfDirectory(atPath: start)
            return names.sorted().filter { $0.hasSuffix(ending) }.compactMap { name in
                guard let data = FileManager.default.contents(atPath: start + "/" + name),
                    let text = String(data: data, encoding: .utf8)
                else { return nil }
                return File(path: folder + "/" + name, text: text)
            }
        }
    }

    static func entries(of folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + "/" + folder).filter { !$0.hasPrefix(".") }
            .sorted()
    }

    /// The entries of a folder that are not pages about it.
    static func folders(of folder: String) throws -> [String] {
        try entries(of: folder).filter { !$0.hasSuffix(".md") }
    }

    static func manifest() throws -> Manifest {
        Manifest(try String(contentsOfFile: root + "/Package.swift", encoding: .utf8))
    }
}
