import Wire

/// What start-up found and did.
package struct StartupReport: Equatable, Sendable {
    /// Recordings that a crash had left uncommitted; they wait now, their manifests marked `recovered` unless they
    /// were finished. The device cannot mark a sealed one: the host does.
    package var recovered: [ItemName] = []
    /// Leftovers that held no sound: of received, discarded or empty recordings.
    package var removed: [ItemName] = []
    /// Files that could not be made sense of, by their names; they are in `parked/` with a note.
    package var parked: [String] = []
    /// What could not be read or done, a sentence each; it is left as it was for the next start.
    package var problems: [String] = []

    package init() {}
}

/// What salvage made of an unfinished audio file, in place.
package enum SalvagedAudio: Equatable, Sendable {
    /// The file is valid now. `frames` at `rate`, the recording's own.
    case audio(frames: Int, rate: Int, channels: Int)
    /// It never held a frame of sound: a head at most, then nothing or zeros.
    case nothing
    /// The card did not give or take it just now, for this reason, a sentence: the file is as good as it was.
    case refused(reason: String)
}

/// Makes an unfinished audio file valid in place; throws when nothing in it can be decoded although something
/// was written. Parameters: its path and its format's extension. Never asked about sealed files, which the device
/// cannot decode.
package typealias Salvage = @Sendable (_ path: String, _ format: String) throws -> SalvagedAudio
