import EndOfSpeech

/// What a rule saw of one input.
struct EndpointTrace {
    struct Point: Equatable {
        let seconds: Double
        let dbfs: Double
        /// What the network heard; nil where levels alone are known.
        let frames: SpeechFrames?
        /// nil after the end: the rule was not asked any more; nil, too, for a reading that no rule is fed.
        let judgement: EndOfSpeech.Judgement?
        /// The device did not let any rule judge it: muted, lost, or under the motor's noise.
        let isMarked: Bool
        /// The floor and the threshold that judged this reading.
        let floor: Double?
        let threshold: Double?
    }

    let input: EndpointInput
    /// As it stood when it heard the end, or after the last reading.
    private(set) var rule: EndOfSpeech
    private(set) var points: [Point] = []
    /// Of the whole input, in seconds.
    private(set) var duration = 0.0

    /// - Parameter tail: keep levels after the end too, for a drawing: as long again as what came before, and
    ///   at least 10 s. Without it nothing after the end is kept.
    init(_ input: EndpointInput, asked: EndpointAsked, tail: Bool) throws {
        self.input = input
        rule = EndOfSpeech()
        duration = try input.read(for: asked) {
            rule = $0
        } while: { observation, isJudged in
            let (floor, threshold) = (rule.floor, rule.threshold)
            let isAsked = rule.end == nil && isJudged
            if isAsked { _ = rule.feed(observation) }
            points.append(
                Point(
                    seconds: observation.seconds, dbfs: observation.dbfs, frames: observation.frames,
                    judgement: isAsked ? rule.lastJudgement : nil, isMarked: !isJudged,
                    floor: isAsked ? floor : nil, threshold: isAsked ? threshold : nil))
            guard let end = rule.end?.seconds else { return true }
            return tail && observation.seconds < end + max(10, end - points[0].seconds)
        }
    }

    var verdict: EndpointVerdict { EndpointVerdict(self) }

    /// The network was asked.
    var hasProbabilities: Bool { rule.rule == .lapel && points.contains { $0.frames != nil } }

    /// The time of the last reading that was speech.
    var lastSpeech: Double? { points.last { $0.judgement == .speech }?.seconds }
}
