import EndOfSpeech
import Hardware

/// A reading as an utterance keeps it until its manifest is written: sixteen bytes, because a memo has 144,000 of them.
package struct TakenReading: Equatable, Sendable {
    /// Level in hundredths of a dB; −120 dBFS for what is no number.
    private let level: Int16
    /// What the capture did to it.
    package let marks: LevelReading.Marks
    // Apart, because an optional of eight whole bytes takes sixteen.
    private let hasFrames: Bool
    private let heard: SpeechFrames

    init(_ reading: LevelReading, _ frames: SpeechFrames?) {
        let dbfs = reading.dbfs.isFinite ? min(max(reading.dbfs, -120), 120) : -120
        level = Int16((dbfs * 100).rounded())
        marks = reading.marks
        hasFrames = frames != nil
        heard = frames ?? SpeechFrames()
    }

    /// What the front end heard; nil where the rule goes by levels alone.
    package var frames: SpeechFrames? { hasFrames ? heard : nil }

    /// In dBFS, to a hundredth.
    package var dbfs: Double { Double(level) / 100 }
}
