/// The front end of the rule `lapel`: level, and what the network hears in each 20 ms.
///
/// All its memory is made at the start (180 KB at 44.1 kHz, 110 KB at 16 and 48 kHz, the weights included); `take` allocates
/// nothing. A frame of nothing but zeros is not heard at all: it is no sound but a gap (a microphone that settles, frames that
/// were lost), and would make every later sound loud. One thread uses it.
package final class LapelFrontEnd: FrontEnd {
    private let rate: Int
    private let converter: RateConverter
    private let features = SpeechFeatures()
    private let net: SpeechNet
    private let frame = FloatMemory(SpeechFeatures.frame)
    private let inputs = FloatMemory(SpeechFeatures.count)
    private var meter = LevelMeter()
    /// Observations given so far.
    private var index = 0
    /// Samples in `frame`.
    private var filled = 0
    private var holdsSound = false
    /// Frames heard since the last observation, and what was heard in them.
    private var frames = 0
    private var heard = SpeechFrames()

    /// - Parameter rate: samples per second of what it takes; at least 10.
    package init(rate: Int = 16_000) {
        precondition(rate >= 10, "100 ms must hold a sample")
        self.rate = rate
        converter = RateConverter(rate: rate)
        net = SpeechNet(SpeechNetFile.shipped)
    }

    /// Forgets all that was heard: a new turn begins.
    package func reset() {
        converter.reset()
        features.reset()
        net.reset()
        meter.reset()
        (index, filled, frames, holdsSound) = (0, 0, 0, false)
        heard = SpeechFrames()
    }

    /// Observation k covers the samples from k·rate/10 up to (k+1)·rate/10 and is stamped (k+1)·0.1 s. What is left at
    /// the end of a recording is not observed.
    package func take(_ samples: UnsafeBufferPointer<Int16>, observed: (Observation) -> Void) {
        var rest = samples[...]
        while !rest.isEmpty {
            let length = (index + 1) * rate / 10 - index * rate / 10
            let part = UnsafeBufferPointer(rebasing: rest.prefix(length - meter.count))
            rest = rest.dropFirst(part.count)
            meter.add(part)
            converter.take(part, out: add)
            if meter.count == length {
                index += 1
                heard.floor = features.floor.map { Double($0) } ?? -127.5
                observed(Observation(dbfs: meter.dbfs, seconds: Double(index) / 10, frames: heard))
                meter.reset()
                frames = 0
                heard = SpeechFrames()
            }
        }
    }

    /// Any number of samples, of which each 320 are a frame.
    private func add(_ samples: UnsafeBufferPointer<Float>) {
        var rest = samples[...]
        while !rest.isEmpty {
            let part = UnsafeBufferPointer(rebasing: rest.prefix(SpeechFeatures.frame - filled))
            rest = rest.dropFirst(part.count)
            var isSound = false
            for index in 0..<part.count {
                frame.start[filled + index] = part[index]
                if part[index] != 0 { isSound = true }
            }
            filled += part.count
            if isSound { holdsSound = true }
            if filled == SpeechFeatures.frame { hearFrame() }
        }
    }

    private func hearFrame() {
        if holdsSound {
            features.take(frame.start, into: inputs.start)
            let probability = net.hear(inputs.start)
            if frames < SpeechFrames.count { heard[frames] = SpeechFrames.quantised(Double(probability)) }
        }
        frames += 1
        (filled, holdsSound) = (0, false)
    }
}
