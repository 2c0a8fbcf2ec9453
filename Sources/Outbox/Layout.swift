import Wire

/// Where everything lies under an outbox's directory.
struct Layout: Sendable {
    /// The four folders.
    enum Place: String, CaseIterable, Sendable {
        /// Being recorded.
        case rec
        /// Finished, waiting.
        case out
        /// Refused by the host for good, or not understood.
        case parked
        /// Acknowledged by a foreign server.
        case sent
    }

    let directory: String

    var lock: String { directory + "/lock" }
    var seq: String { directory + "/seq" }

    func folder(_ place: Place) -> String { "\(directory)/\(place.rawValue)" }
    func file(_ place: Place, _ file: String) -> String { "\(folder(place))/\(file)" }
    func audio(_ place: Place, _ name: ItemName, _ format: String) -> String {
        file(place, "\(name).\(format)")
    }
    func manifest(_ place: Place, _ name: ItemName) -> String { file(place, "\(name).json") }
    /// The head manifest of a running recording.
    func head(_ name: ItemName) -> String { file(.rec, "\(name).head") }
    func gap(_ name: ItemName) -> String { file(.out, "\(name).gap.json") }
}

/// What a file in the outbox is, by its name.
enum FileKind: Equatable, Sendable {
    case audio(ItemName, format: String)
    case manifest(ItemName)
    case head(ItemName)
    case gap(ItemName)
    /// The note beside something parked, or the beginning of one.
    case note
    case unknown

    private static let nameLength = 43

    init(_ file: String) {
        guard let name = ItemName(file.prefix(Self.nameLength)),
            file.dropFirst(Self.nameLength).first == "."
        else {
            self = file.hasSuffix(".reason.txt") || file.hasSuffix(".reason.txt.new") ? .note : .unknown
            return
        }
        let ending = String(file.dropFirst(Self.nameLength + 1))
        switch ending {
        case "json": self = .manifest(name)
        case "head": self = .head(name)
        case "gap.json": self = .gap(name)
        case _ where ending.hasSuffix("reason.txt") || ending.hasSuffix("reason.txt.new"): self = .note
        case _ where !ending.isEmpty && ending.utf8.allSatisfy(Self.isExtension):
            self = .audio(name, format: ending)
        default: self = .unknown
        }
    }

    private static func isExtension(_ c: UInt8) -> Bool { (97...122).contains(c) || (48...57).contains(c) }
}
