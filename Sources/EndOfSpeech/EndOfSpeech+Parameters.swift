extension EndOfSpeech {
    /// The figures of a level rule. The defaults are the reference rule's.
    package struct Parameters: Equatable, Sendable {
        /// Quiet after the last speech that ends the utterance, in seconds.
        package var hangover: Double
        /// How far above the floor speech must be, in dB.
        package var margin: Double
        /// Nothing at or below this level is speech, in dBFS.
        package var gate: Double
        /// Readings that measure the room at the start; at least 1. Their median, the middle one after
        /// sorting, is the first floor.
        package let calibrationReadings: Int
        /// How much of a quiet reading goes into the floor, 0…1.
        package var adapt: Double
        /// Less speech than this is nothing to send, in seconds.
        package var minimumSpeech: Double

        /// - Parameter calibrationReadings: a figure below 1 counts as 1, because there is no floor from none.
        package init(
            hangover: Double = 3.0, margin: Double = 10.0, gate: Double = -45.0, calibrationReadings: Int = 5,
            adapt: Double = 0.05, minimumSpeech: Double = 0.4
        ) {
            self.hangover = hangover
            self.margin = margin
            self.gate = gate
            self.calibrationReadings = max(1, calibrationReadings)
            self.adapt = adapt
            self.minimumSpeech = minimumSpeech
        }

        /// The figures a manifest names; what it does not name stands as in `init()`.
        package init(byName names: [String: Double]) {
            let own = Parameters()
            self.init(
                hangover: names["hangover_s"] ?? own.hangover, margin: names["margin_db"] ?? own.margin,
                gate: names["gate_db"] ?? own.gate,
                calibrationReadings: names["calibration"].flatMap { Int(exactly: $0) }
                    ?? own.calibrationReadings,
                adapt: names["adapt"] ?? own.adapt, minimumSpeech: names["min_speech_s"] ?? own.minimumSpeech)
        }

        /// As the manifest names them.
        package var byName: [String: Double] {
            [
                "hangover_s": hangover,
                "margin_db": margin,
                "gate_db": gate,
                "calibration": Double(calibrationReadings),
                "adapt": adapt,
                "min_speech_s": minimumSpeech,
            ]
        }
    }
}
