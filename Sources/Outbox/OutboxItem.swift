import Wire

/// A finished utterance that waits: its audio and, beside it, its manifest.
package struct OutboxItem: Equatable, Sendable {
    package let name: ItemName
    /// The audio's extension, `opus`, `flac` or `wav`; sealed files end in `.age` after it.
    package let format: String
    /// All of its files are sealed in the age format; `Outbox.sealedNote` tells to whom.
    package let sealed: Bool
    /// Of the audio.
    package let audioBytes: Int
    package let manifestBytes: Int
    /// Of the tail journal; nil for a recording that was finished.
    package let tailBytes: Int?
    /// Holds its files. One text for all items of a place: thousands may wait.
    private let folder: String

    /// - Parameter folder: the path of the folder that holds its files, under the names that its own makes.
    package init(
        name: ItemName, format: String, sealed: Bool = false, folder: String, audioBytes: Int,
        manifestBytes: Int, tailBytes: Int? = nil
    ) {
        self.name = name
        self.format = format
        self.sealed = sealed
        self.folder = folder
        self.audioBytes = audioBytes
        self.manifestBytes = manifestBytes
        self.tailBytes = tailBytes
    }

    package var audioPath: String { "\(folder)/\(Layout.audioFile(name, form))" }
    package var manifestPath: String { "\(folder)/\(Layout.manifestFile(name, sealed: sealed))" }
    /// The tail journal: the bytes that are not in the sealed audio of a recording that a crash ended. Nil for one that
    /// was finished.
    package var tailPath: String? { tailBytes == nil ? nil : "\(folder)/\(Layout.tailFile(name))" }

    /// On the card, all its files.
    package var bytes: Int { audioBytes + manifestBytes + (tailBytes ?? 0) }

    /// A sealed recording that a crash ended: its audio is what of it was sealed, its manifest is the one of the press,
    /// and the host puts it together with its tail journal.
    package var isSealedPart: Bool { tailBytes != nil }

    var form: Form { Form(format: format, sealed: sealed) }
}

/// The record of an utterance that was dropped unsent because the outbox was full: its manifest, or of a sealed one
/// its name alone, which the host is told. Its audio is gone.
package struct OutboxGap: Equatable, Sendable {
    package let name: ItemName
    package let manifestPath: String
    package let bytes: Int

    package init(name: ItemName, manifestPath: String, bytes: Int) {
        self.name = name
        self.manifestPath = manifestPath
        self.bytes = bytes
    }
}

/// What is in the outbox, in numbers.
package struct Counts: Equatable, Sendable {
    /// Finished and unsent.
    package var waiting = 0
    /// Of those, on the card.
    package var bytes = 0
    /// The first of those.
    package var oldest: ItemName?
    package var parked = 0
    /// Acknowledged by a foreign server only.
    package var sent = 0
    package var gaps = 0
    /// Begun and neither committed nor discarded.
    package var recording = 0

    package init() {}
}
