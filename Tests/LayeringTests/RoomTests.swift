import Testing

/// The folders of a target are rooms: of two, one may know the other.
@Suite("Rooms")
struct RoomTests {
    @Test func noFoldersOfATargetUseEachOtherInACircle() throws {
        let sources = try Repository.files(in: ["Sources"], ending: ".swift")
        for (target, files) in Dictionary(grouping: sources, by: \.target) {
            for circle in Rooms(files).circles { Issue.record("\(target): \(circle)") }
        }
    }

    @Test func aCircleIsFoundWithWhatMakesIt() {
        let planted = [
            Repository.File(path: "Sources/T/A/One.swift", text: "struct One { let next: Two }"),
            Repository.File(path: "Sources/T/B/Two.swift", text: "struct Two { let next: Three }"),
            Repository.File(path: "Sources/T/C/Three.swift", text: "struct Three { var one: One? }"),
            Repository.File(path: "Sources/T/D/Four.swift", text: "struct Four { let two: Two }"),
        ]
        #expect(Rooms(planted).circles == ["A → B (Two) → C (Three) → A (One)"])
    }

    @Test func whatIsUsedOneWayIsNoCircle() {
        let planted = [
            Repository.File(path: "Sources/T/A/One.swift", text: "struct One { let next: Two }"),
            Repository.File(path: "Sources/T/B/Two.swift", text: "struct Two {} // of One\nextension Two {}"),
        ]
        #expect(Rooms(planted).circles == [])
    }
}

/// Which folder of one target uses which, by the types that its files name.
struct Rooms {
    /// For each folder the folders it uses, and one type of each by which it does.
    private var uses: [String: [String: String]] = [:]

    init(_ files: [Repository.File]) {
        let read = files.map { (folder: Self.folder(of: $0), text: SwiftText($0.text)) }
        var home: [String: String] = [:]
        for file in read {
            for type in Declarations(file.text).shared { home[type] = file.folder }
        }
        for file in read {
            for word in file.text.words where word.previous != "." {
                guard let used = home[word.text], used != file.folder else { continue }
                uses[file.folder, default: [:]][used] = word.text
            }
        }
    }

    /// Each once, beginning with its first folder in the alphabet.
    var circles: [String] {
        var found: Set<String> = []
        for start in uses.keys {
            var seen: Set<String> = [start]
            var paths = [[start]]
            while let path = paths.popLast() {
                for next in (uses[path[path.count - 1]] ?? [:]).keys.sorted() {
                    if next == start {
                        if start == path.min() { found.insert(spelled(path + [start])) }
                    } else if seen.insert(next).inserted {
                        paths.append(path + [next])
                    }
                }
            }
        }
        return found.sorted()
    }

    private func spelled(_ path: [String]) -> String {
        zip(path, path.dropFirst()).reduce(path[0]) { text, step in
            text + " → \(step.1) (\(uses[step.0]?[step.1] ?? ""))"
        }
    }

    /// The way below the target: empty for what lies in the target's own folder.
    private static func folder(of file: Repository.File) -> String {
        file.path.split(separator: "/").dropFirst(2).dropLast().joined(separator: "/")
    }
}
