import EndOfSpeech
import Hardware
import Wire

/// What an utterance's manifest keeps of its sound: enough to judge it again without the sound.
struct UtteranceReadings {
    let path: String
    let rule: EndOfSpeech.Rule
    let parameters: [String: Double]
    private let readings: [Manifest.Reading]

    /// - Throws: `EndpointError`.
    init(path: String) throws {
        let manifest: Manifest
        do { manifest = try Manifest(parsing: try EndpointFile.read(path)) } catch let error as WireError {
            throw EndpointError.notAnUtterance(path: path, why: error.description)
        }
        guard let rule = EndOfSpeech.Rule(rawValue: manifest.rule) else {
            let name = manifest.rule.isEmpty ? "no rule" : "the rule \(manifest.rule)"
            throw EndpointError.notAnUtterance(path: path, why: "\(name) judged it")
        }
        guard !manifest.readings.isEmpty else {
            throw EndpointError.notAnUtterance(path: path, why: "it holds no readings")
        }
        self.path = path
        self.rule = rule
        parameters = manifest.ruleParameters
        readings = manifest.readings
    }

    /// It keeps what the network heard, not levels alone.
    var holdsSpeech: Bool { readings.contains { $0.speech != nil } }

    /// Every reading in order, until `observed` says no more; with true when the rule judged it.
    ///
    /// - Returns: the length in seconds.
    func read(while observed: (Observation, Bool) -> Bool) -> Double {
        for (index, reading) in readings.enumerated() {
            let marks = LevelReading.Marks(rawValue: UInt8(truncatingIfNeeded: reading.marks))
            let observation = Observation(
                dbfs: reading.dbfs, seconds: Double(index + 1) / 10,
                frames: reading.speech.flatMap(SpeechFrames.init(hexadecimal:)))
            guard observed(observation, marks.isDisjoint(with: .unjudged)) else { break }
        }
        return Double(readings.count) / 10
    }
}
