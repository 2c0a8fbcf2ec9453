import Hardware

/// What the machine knows of an utterance when it has ended; the recorder makes the manifest of it.
///
/// Times are since the zero of `CLOCK_MONOTONIC`.
package struct TakeFacts: Equatable, Sendable {
    package let reason: EndReason
    package let speechSeconds: Double
    /// The rule's name, and its parameters by their names in the manifest.
    package let rule: String
    package let ruleParameters: [String: Double]
    /// One for each 100 ms, from the first sample on.
    package let readings: [TakenReading]
    /// What the card tells of the capture.
    package let summary: CaptureSummary
    package let press: Duration
    /// Nil when none came.
    package let firstSample: Duration?
    /// When the first reading that the rule took for speech began; nil when none did.
    package let firstSpeech: Duration?
    package let ended: Duration
    /// The gesture's mode, as settings and manifests write it.
    package let mode: String
}
