import EndOfSpeech
import Wire

/// What the rule decided about one input.
struct EndpointVerdict: Equatable {
    let file: String
    let rule: EndOfSpeech.Rule
    /// In seconds, all of them.
    let hangover: Double
    let duration: Double
    /// nil when it never ends.
    let end: EndOfSpeech.End?
    let speech: Double
    /// There was enough speech, whether or not it ended.
    let send: Bool

    init(_ trace: EndpointTrace) {
        file = trace.input.path
        rule = trace.rule.rule
        hangover = trace.rule.hangover
        duration = trace.duration
        end = trace.rule.end
        speech = trace.rule.speechSeconds
        send = trace.rule.enoughToSend
    }

    /// One object; times in seconds, rounded to milliseconds.
    var json: JSON {
        [
            "file": .string(file),
            "rule": .string(rule.rawValue),
            "hangover_s": .double(Self.milliseconds(hangover)),
            "duration_s": .double(Self.milliseconds(duration)),
            "end_s": .optional(end.map { Self.milliseconds($0.seconds) }),
            "speech_s": .double(Self.milliseconds(speech)),
            "send": .bool(send),
            "reason": .optional(end?.reason.rawValue),
        ]
    }

    private static func milliseconds(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
}
