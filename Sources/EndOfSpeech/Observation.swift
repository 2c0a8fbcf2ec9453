/// What a front end heard in 100 ms: all that a rule may know of them.
package struct Observation: Equatable, Sendable {
    /// Level by AES17: a full-scale sine reads 0, digital silence −120.
    package var dbfs: Double
    /// The end of the 100 ms, in seconds of the recording or of any other clock.
    package var seconds: Double
    /// What a front end measured besides the level; its meaning is agreed between that front end and its
    /// rule. A meter's level comes without any, and a level rule asks for none.
    package var features: SIMD8<Float>?

    package init(dbfs: Double, seconds: Double, features: SIMD8<Float>? = nil) {
        self.dbfs = dbfs
        self.seconds = seconds
        self.features = features
    }
}
