import Wire

/// A finished utterance that waits: its audio and, beside it, its manifest.
package struct OutboxItem: Equatable, Sendable {
    package let name: ItemName
    /// The audio's extension: `opus`, `flac`, `wav`.
    package let format: String
    package let audioPath: String
    package let manifestPath: String
    package let audioBytes: Int
    package let manifestBytes: Int

    package init(
        name: ItemName, format: String, audioPath: String, manifestPath: String, audioBytes: Int,
        manifestBytes: Int
    ) {
        self.name = name
        self.format = format
        self.audioPath = audioPath
        self.manifestPath = manifestPath
        self.audioBytes = audioBytes
        self.manifestBytes = manifestBytes
    }

    /// On the card, both files.
    package var bytes: Int { audioBytes + manifestBytes }
}

/// The record of an utterance that was dropped unsent because the outbox was full: its manifest, which the host
/// is told. Its audio is gone.
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

/// What start-up found and did.
package struct StartupReport: Equatable, Sendable {
    /// Recordings that a crash had left uncommitted; they wait now, their manifests marked `recovered` unless they
    /// were finished.
    package var recovered: [ItemName] = []
    /// Leftovers that held no sound: of received, discarded or empty recordings.
    package var removed: [ItemName] = []
    /// Files that could not be made sense of, by their names; they are in `parked/` with a note.
    package var parked: [String] = []
    /// What could not be done; it is left as it was for the next start.
    package var problems: [String] = []

    package init() {}
}

/// What salvage made of an unfinished audio file, in place.
package enum SalvagedAudio: Equatable, Sendable {
    /// The file is valid now. `frames` at `rate`, the recording's own.
    case audio(frames: Int, rate: Int, channels: Int)
    /// It never held a frame of sound: a head at most, then nothing or zeros.
    case nothing
}

/// Makes an unfinished audio file valid in place; throws when nothing in it can be decoded although something
/// was written. Parameters: its path and its format's extension.
package typealias Salvage = @Sendable (_ path: String, _ format: String) throws -> SalvagedAudio
