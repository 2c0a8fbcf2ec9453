import Hardware

/// The facts that hold for every `Microphone`, the real and the simulated one. Each function is one fact and returns
/// the ways in which it was broken: none, when it holds.
package struct MicrophoneContract {
    /// Frames per second of the recordings, one channel.
    package let rate: Int
    /// A microphone that works and hears at least 2 s.
    package let make: (any AudioSink, @escaping @Sendable (MicrophoneEvent) -> Void) -> any Microphone

    package init(
        rate: Int,
        make: @escaping (any AudioSink, @escaping @Sendable (MicrophoneEvent) -> Void) -> any Microphone
    ) {
        self.rate = rate
        self.make = make
    }

    private static let opening: [MicrophoneStep] = [.open, .configure, .start]

    private func begin() -> (any Microphone, MicrophoneLog) {
        let log = MicrophoneLog()
        return (make(log, { log.report($0) }), log)
    }

    private func perform(_ steps: [MicrophoneStep], _ microphone: any Microphone, _ log: MicrophoneLog)
        -> [String]
    {
        for step in steps {
            microphone.perform(step)
            if !log.isDone(step) { return ["\(step) was not done"] }
        }
        return []
    }

    /// Every step is answered once, in order; then come the first frames, readings, and the end.
    package func stepsAreAnsweredInOrder() -> [String] {
        let (microphone, log) = begin()
        var broken = perform(Self.opening, microphone, log)
        guard broken.isEmpty else { return broken }
        microphone.perform(.read)
        log.untilReading(1)
        microphone.perform(.close)
        guard log.untilClosed() != nil else { return ["close was not answered"] }
        let kinds = log.events.map(Self.kind)
        if Array(kinds.prefix(4)) != ["open", "configure", "start", "first frames"] {
            broken.append("the opening was reported as \(kinds.prefix(4))")
        }
        if kinds.last != "closed" { broken.append("something was reported after the end") }
        if !kinds.dropFirst(4).dropLast().allSatisfy({ $0 == "reading" }) {
            broken.append("between first frames and end came \(kinds.dropFirst(4).dropLast())")
        }
        return broken
    }

    /// A microphone that was started gives no frame before `read`.
    package func nothingIsHeardBeforeRead() -> [String] {
        let (microphone, log) = begin()
        let broken = perform(Self.opening, microphone, log)
        guard broken.isEmpty else { return broken }
        microphone.perform(.close)
        guard let summary = log.untilClosed() else { return ["close was not answered"] }
        if summary.frames != 0 { return ["\(summary.frames) frames were counted"] }
        if !log.samples.isEmpty { return ["\(log.samples.count) samples reached the sink"] }
        return []
    }

    /// `close` is legal after each step, and before any.
    package func closeIsLegalInEveryState() -> [String] {
        var broken: [String] = []
        for steps in [[], [.open], [.open, .configure], Self.opening] as [[MicrophoneStep]] {
            let (microphone, log) = begin()
            broken += perform(steps, microphone, log)
            microphone.perform(.close)
            if log.untilClosed() == nil { broken.append("close after \(steps) was not answered") }
        }
        return broken
    }

    /// The summary counts what the sink got, and each reading comes after its frames.
    package func theSinkIsAheadOfTheReadings() -> [String] {
        let (microphone, log) = begin()
        var broken = perform(Self.opening, microphone, log)
        guard broken.isEmpty else { return broken }
        microphone.perform(.read)
        log.untilReading(2)
        microphone.perform(.close)
        guard let summary = log.untilClosed() else { return ["close was not answered"] }
        if summary.frames != log.samples.count {
            broken.append("\(summary.frames) frames counted, \(log.samples.count) in the sink")
        }
        var expected = 0
        for (event, samples) in zip(log.events, log.samplesAtEvent) {
            guard case .reading(let reading) = event else { continue }
            if reading.index != expected { broken.append("reading \(reading.index) came for \(expected)") }
            if samples < (reading.index + 1) * rate / 10 {
                broken.append("reading \(reading.index) came after \(samples) samples")
            }
            expected += 1
        }
        return broken
    }

    /// The same microphone opens again, and its readings count from 0 again.
    package func itOpensAgain() -> [String] {
        let (microphone, log) = begin()
        for round in 1...2 {
            let broken = perform(Self.opening, microphone, log)
            guard broken.isEmpty else { return broken.map { "opening \(round): \($0)" } }
            microphone.perform(.read)
            let first = log.until { Self.kind($0) == "reading" }
            guard case .reading(let reading)? = first, reading.index == 0 else {
                return ["opening \(round) began with \(String(describing: first))"]
            }
            microphone.perform(.close)
            guard log.untilClosed() != nil else { return ["close \(round) was not answered"] }
        }
        return []
    }

    /// Stamps never go back.
    package func stampsNeverGoBack() -> [String] {
        let (microphone, log) = begin()
        let broken = perform(Self.opening, microphone, log)
        guard broken.isEmpty else { return broken }
        microphone.perform(.read)
        log.untilReading(2)
        microphone.perform(.close)
        guard log.untilClosed() != nil else { return ["close was not answered"] }
        let stamps = log.events.map(Self.stamp)
        return zip(stamps, stamps.dropFirst()).filter { $0 > $1 }.map { "\($1) came after \($0)" }
    }

    private static func kind(_ event: MicrophoneEvent) -> String {
        switch event {
        case .done(let step, _): "\(step)"
        case .failed(let step, _, _): "\(step) failed"
        case .firstFrames: "first frames"
        case .reading: "reading"
        case .fault: "fault"
        case .closed: "closed"
        }
    }

    private static func stamp(_ event: MicrophoneEvent) -> Duration {
        switch event {
        case .done(_, let at), .failed(_, _, let at), .firstFrames(let at), .fault(_, let at),
            .closed(_, let at):
            at
        case .reading(let reading): reading.at
        }
    }
}
