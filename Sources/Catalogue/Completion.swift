/// Whether an utterance's audio is a part that a power cut ended. The numbers are stored.
package enum PartState: Int64, Sendable {
    /// It is a whole file, or nothing is known yet.
    case no = 0
    /// The manifest is the one of the press: part and tail are awaited, and then put together.
    case awaited = 1
    /// Part and tail were put together here; the manifest was completed with what came out.
    case assembled = 2
}

/// A manifest as an utterance's row keeps it.
package struct KeptManifest: Equatable, Sendable {
    /// The clear bytes.
    package var bytes: [UInt8]
    /// Of them, 64 hexadecimal digits.
    package var sha256: String
    /// The pin that recorded it.
    package var recorder: String
    /// Of the recorder; this and what follows: of the press.
    package var bootID: String
    /// Nanoseconds since the recorder's boot.
    package var startBoot: Int64
    /// Nanoseconds since 1970 by the recorder's clock.
    package var startWall: Int64
    /// Nil when the recorder did not say.
    package var wallSynchronised: Bool?
    /// False for a gap record, which is whole by itself.
    package var needsAudio: Bool

    package init(
        bytes: [UInt8], sha256: String, recorder: String, bootID: String, startBoot: Int64, startWall: Int64,
        wallSynchronised: Bool?, needsAudio: Bool
    ) {
        self.bytes = bytes
        self.sha256 = sha256
        self.recorder = recorder
        self.bootID = bootID
        self.startBoot = startBoot
        self.startWall = startWall
        self.wallSynchronised = wallSynchronised
        self.needsAudio = needsAudio
    }
}

/// The audio of an utterance, as its row names it.
package struct StoredFile: Equatable, Sendable {
    package let name: ShelfName
    package let bytes: Int

    package init(name: ShelfName, bytes: Int) {
        self.name = name
        self.bytes = bytes
    }
}

/// What the commit that completes an upload says of its utterance; nil stays as it is.
package struct Completion: Equatable, Sendable {
    package var manifest: KeptManifest?
    /// Once it is named here it is no longer loose.
    package var audio: StoredFile?
    package var part: PartState?

    package init(manifest: KeptManifest? = nil, audio: StoredFile? = nil, part: PartState? = nil) {
        self.manifest = manifest
        self.audio = audio
        self.part = part
    }
}

/// What a completing commit found.
package enum CompletionOutcome: Equatable, Sendable {
    /// The upload is complete; `madeWhole` when its utterance became whole by this commit.
    case stored(madeWhole: Bool)
    /// It was withdrawn meanwhile, or dropped: nothing was changed.
    case withdrawn
}
