import Wire

/// How an item's files are written: the audio's format, and whether all of them are sealed.
struct Form: Hashable, Sendable {
    /// The audio's extension: `opus`, `flac`, `wav`.
    let format: String
    let sealed: Bool
}

/// Where everything lies under an outbox's directory. What is sealed is called `.age` in the end.
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
    /// The tail journal that the next recording takes over; what is in it is nobody's any more.
    var spareTail: String { file(.rec, FileKind.spareTailName) }

    func folder(_ place: Place) -> String { "\(directory)/\(place.rawValue)" }
    func file(_ place: Place, _ file: String) -> String { "\(folder(place))/\(file)" }
    func audio(_ place: Place, _ name: ItemName, _ form: Form) -> String {
        file(place, "\(name).\(form.format)\(form.sealed ? ".age" : "")")
    }
    func manifest(_ place: Place, _ name: ItemName, sealed: Bool) -> String {
        file(place, "\(name).json\(sealed ? ".age" : "")")
    }
    /// Where a running recording's manifest will be written, and its space is reserved. A sealed one gets its name
    /// when it is whole, because start-up cannot read it.
    func manifestInTheMaking(_ name: ItemName, sealed: Bool) -> String {
        manifest(.rec, name, sealed: sealed) + (sealed ? ".new" : "")
    }
    /// The head manifest of a running recording.
    func head(_ name: ItemName, sealed: Bool) -> String {
        file(.rec, "\(name).head\(sealed ? ".age" : "")")
    }
    /// The tail journal of a sealed recording: in `rec/` while it runs, beside the audio of one that was salvaged.
    func tail(_ place: Place, _ name: ItemName) -> String { file(place, "\(name).tail") }
    func gap(_ name: ItemName) -> String { file(.out, "\(name).gap.json") }
    func reason(_ name: ItemName) -> String { file(.parked, "\(name).reason.txt") }

    /// The item whose files lie in `place`. `tailBytes`: nil without a tail journal.
    func item(
        _ place: Place, _ name: ItemName, _ form: Form, audioBytes: Int, manifestBytes: Int, tailBytes: Int?
    ) -> OutboxItem {
        OutboxItem(
            name: name, format: form.format, sealed: form.sealed, audioPath: audio(place, name, form),
            manifestPath: manifest(place, name, sealed: form.sealed),
            tailPath: tailBytes == nil ? nil : tail(place, name), audioBytes: audioBytes,
            manifestBytes: manifestBytes, tailBytes: tailBytes ?? 0)
    }
}
