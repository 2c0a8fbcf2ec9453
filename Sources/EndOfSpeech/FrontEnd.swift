/// Turns samples into what a rule judges.
///
/// One front end sits beside one `EndOfSpeech`, both fed by the same turn. It works while the microphone is
/// open, so `take` neither allocates nor blocks.
package protocol FrontEnd {
    /// Takes the next samples of one channel, in blocks of any length, at 16 kHz unless the front end was
    /// made for another rate. Gives an observation for every 100 ms that are complete.
    mutating func take(_ samples: UnsafeBufferPointer<Int16>, observed: (Observation) -> Void)
}

/// The front end of the rules that need a level alone. Works at any rate.
package struct LevelFrontEnd: FrontEnd, Equatable, Sendable {
    private let rate: Int
    private var meter = LevelMeter()
    /// Observations given so far.
    private var index = 0

    /// - Parameter rate: samples per second; at least 10, or there is no sample in 100 ms.
    package init(rate: Int = 16_000) {
        precondition(rate >= 10, "100 ms must hold a sample")
        self.rate = rate
    }

    /// Observation k covers the samples from k·rate/10 up to (k+1)·rate/10 and is stamped (k+1)·0.1 s, so a
    /// rate that ten does not divide keeps time. What is left at the end of a recording is not observed.
    package mutating func take(_ samples: UnsafeBufferPointer<Int16>, observed: (Observation) -> Void) {
        var rest = samples[...]
        while !rest.isEmpty {
            let length = (index + 1) * rate / 10 - index * rate / 10
            let part = rest.prefix(length - meter.count)
            meter.add(UnsafeBufferPointer(rebasing: part))
            rest = rest.dropFirst(part.count)
            if meter.count == length {
                index += 1
                observed(Observation(dbfs: meter.dbfs, seconds: Double(index) / 10))
                meter.reset()
            }
        }
    }
}
