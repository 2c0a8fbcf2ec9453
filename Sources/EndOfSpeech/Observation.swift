/// What a front end heard in 100 ms: all that a rule may know of them.
package struct Observation: Equatable, Sendable {
    /// Level by AES17: a full-scale sine reads 0, digital silence −120.
    package var dbfs: Double
    /// The end of the 100 ms, in seconds of the recording or of any other clock.
    package var seconds: Double
    /// What the network heard in them; nil from a front end that measures levels alone. The reference rule asks for
    /// none, the rule `lapel` for nothing else.
    package var frames: SpeechFrames?

    package init(dbfs: Double, seconds: Double, frames: SpeechFrames? = nil) {
        self.dbfs = dbfs
        self.seconds = seconds
        self.frames = frames
    }
}
