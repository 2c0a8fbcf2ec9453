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
    // Made once: every item that waits holds one of them.
    private let rec, out, parked, sent: String

    init(directory: String) {
        self.directory = directory
        func path(_ place: Place) -> String { "\(directory)/\(place.rawValue)" }
        (rec, out, parked, sent) = (path(.rec), path(.out), path(.parked), path(.sent))
    }

    var lock: String { directory + "/lock" }
    var seq: String { directory + "/seq" }
    /// The tail journal that the next recording takes over; what is in it is nobody's any more.
    var spareTail: String { file(.rec, FileKind.spareTailName) }

    func folder(_ place: Place) -> String {
        switch place {
        case .rec: rec
        case .out: out
        case .parked: parked
        case .sent: sent
        }
    }
    func file(_ place: Place, _ file: String) -> String { "\(folder(place))/\(file)" }
    func audio(_ place: Place, _ name: ItemName, _ form: Form) -> String {
        file(place, Self.audioFile(name, form))
    }
    func manifest(_ place: Place, _ name: ItemName, sealed: Bool) -> String {
        file(place, Self.manifestFile(name, sealed: sealed))
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
    func tail(_ place: Place, _ name: ItemName) -> String { file(place, Self.tailFile(name)) }
    func gap(_ name: ItemName) -> String { file(.out, "\(name).gap.json") }
    func reason(_ name: ItemName) -> String { file(.parked, "\(name).reason.txt") }

    /// The item whose files lie in `place`. `tailBytes`: nil without a tail journal.
    func item(
        _ place: Place, _ name: ItemName, _ form: Form, audioBytes: Int, manifestBytes: Int, tailBytes: Int?
    ) -> OutboxItem {
        OutboxItem(
            name: name, format: form.format, sealed: form.sealed, folder: folder(place),
            audioBytes: audioBytes, manifestBytes: manifestBytes, tailBytes: tailBytes)
    }

    static func audioFile(_ name: ItemName, _ form: Form) -> String {
        "\(name).\(form.format)\(form.sealed ? ".age" : "")"
    }
    static func manifestFile(_ name: ItemName, sealed: Bool) -> String {
        "\(name).json\(sealed ? ".age" : "")"
    }
    static func tailFile(_ name: ItemName) -> String { "\(name).tail" }
}
