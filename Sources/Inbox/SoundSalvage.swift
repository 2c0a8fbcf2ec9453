/// What is left of a recording that a power cut ended, once it is a valid file of sound.
package struct SalvagedSound: Equatable, Sendable {
    /// Whole frames; 0 when nothing of it can be decoded.
    package let frames: Int
    /// Frames per second; 0 when there is no frame.
    package let rate: Int
    /// 0 when there is no frame.
    package let channels: Int

    package init(frames: Int, rate: Int, channels: Int) {
        self.frames = frames
        self.rate = rate
        self.channels = channels
    }

    /// Nobody looked into it.
    package static let unknown = SalvagedSound(frames: 0, rate: 0, channels: 0)
}

/// Makes a file of sound that ends anywhere valid in place; `format` is as manifests name it. Throws when the work
/// could not be done and may be tried again; sound that cannot be decoded has no frame.
package typealias SoundSalvage = @Sendable (_ path: String, _ format: String) throws -> SalvagedSound
