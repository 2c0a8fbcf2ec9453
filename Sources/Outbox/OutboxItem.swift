import Wire

/// A finished utterance that waits: its audio and, beside it, its manifest.
package struct OutboxItem: Equatable, Sendable {
    package let name: ItemName
    /// The audio's extension, `opus`, `flac` or `wav`; sealed files end in `.age` after it.
    package let format: String
    /// All of its files are sealed in the age format; `Outbox.sealedNote` tells to whom.
    package let sealed: Bool
    package let audioPath: String
    package let manifestPath: String
    /// The tail journal: the bytes that are not in the sealed audio of a recording that a crash ended. Nil for one that
    /// was finished.
    package let tailPath: String?
    package let audioBytes: Int
    package let manifestBytes: Int
    package let tailBytes: Int

    package init(
        name: ItemName, format: String, sealed: Bool = false, audioPath: String, manifestPath: String,
        tailPath: String? = nil, audioBytes: Int, manifestBytes: Int, tailBytes: Int = 0
    ) {
        self.name = name
        self.format = format
        self.sealed = sealed
        self.audioPath = audioPath
        self.manifestPath = manifestPath
        self.tailPath = tailPath
        self.audioBytes = audioBytes
        self.manifestBytes = manifestBytes
        self.tailBytes = tailBytes
    }

    /// On the card, all its files.
    package var bytes: Int { audioBytes + manifestBytes + tailBytes }

    /// A sealed recording that a crash ended: its audio is what of it was sealed, its manifest is the one of the press,
    /// and the host puts it together with its tail journal.
    package var isSealedPart: Bool { tailPath != nil }

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
