import EndOfSpeech

/// What a rule saw of one input.
struct EndpointTrace {
    struct Point: Equatable {
        let seconds: Double
        let dbfs: Double
        /// nil after the end: the rule was not asked any more.
        let judgement: EndOfSpeech.Judgement?
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
    init(_ input: EndpointInput, rule: EndOfSpeech, tail: Bool) throws {
        self.input = input
        self.rule = rule
        let length = try input.read { observation in
            let floor = self.rule.floor
            let threshold = self.rule.threshold
            let asked = self.rule.end == nil
            if asked { _ = self.rule.feed(observation) }
            points.append(
                Point(
                    seconds: observation.seconds, dbfs: observation.dbfs,
                    judgement: asked ? self.rule.lastJudgement : nil,
                    floor: asked ? floor : nil, threshold: asked ? threshold : nil))
            guard let end = self.rule.end?.seconds else { return true }
            return tail && observation.seconds < end + max(10, end - points[0].seconds)
        }
        duration = length
    }

    var verdict: EndpointVerdict { EndpointVerdict(self) }

    /// The time of the last reading that was speech.
    var lastSpeech: Double? { points.last { $0.judgement == .speech }?.seconds }
}
