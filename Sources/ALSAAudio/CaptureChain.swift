import Hardware

/// What happens to a device's frames on their way to the sink, all of it in buffers made beforehand.
///
/// Invariants
/// 1. Frame k of what the sink gets is heard k / rate seconds after the device's first frame: muted frames and lost
///    ones are zeros of the same length, and the resampler's delay is taken out.
/// 2. No call but `init` allocates. The owner's thread alone calls.
/// 3. Where there is nothing to do (the recording's own rate, 16 bits, no gain, no high-pass) samples pass unchanged:
///    every stage that is left out is left out wholly, and 16-bit values are exact in `Float`.
///
/// Order of a chunk: decode, look for a signal, take out DC, one channel of two, gain, resample, high-pass,
/// 16 bits; then the sink, then the level.
final class CaptureChain {
    /// Raw frames of the device go here before `takeInput`.
    let input: UnsafeMutableRawPointer
    /// Frames of the device that `input` holds: 200 ms, twice what a wake-up brings.
    let capacity: Int
    private(set) var summary = CaptureSummary()

    private let format: DeviceFormat
    private let rate: Int
    private let channels: Int
    /// Channels between the mix and the output: one, or two of a stereo device recorded in stereo.
    private let lanes: Int
    private let gain: Float
    private let muted: Int
    private let sink: any AudioSink
    private let decoded: UnsafeMutablePointer<Float>
    private let resampled: UnsafeMutablePointer<Float>
    private let output: UnsafeMutablePointer<Int16>
    private let outputCapacity: Int
    private let resampler: Resampler?

    private var presence: SignalPresence
    private var offset: DCOffset?
    private var mixer: LiveChannel?
    private var filters: (HighPass, HighPass)?
    private var meter: CaptureMeter
    /// Frames of the device taken in, silence for lost ones included.
    private var taken = 0
    /// Frames of the recording that replace lost ones. They come out of the resampler a little later.
    private var replaced = 0..<0

    init(format: DeviceFormat, settings: CaptureSettings, sink: any AudioSink) throws(ALSAError) {
        self.format = format
        self.sink = sink
        rate = settings.rate
        channels = settings.channels
        lanes = min(format.channels, settings.channels)
        gain = Decibels.factor(settings.gain)
        muted = settings.settle.frames(at: settings.rate)
        if format.rate == settings.rate {
            resampler = nil
        } else {
            resampler = Resampler(channels: lanes, from: format.rate, to: settings.rate)
            if resampler == nil { throw ALSAError(operation: "be resampled", code: -12) }
        }
        presence = SignalPresence(channels: format.channels, rate: format.rate)
        offset = settings.highpass == nil ? nil : DCOffset(channels: format.channels, rate: format.rate)
        mixer = format.channels > lanes ? LiveChannel(rate: format.rate) : nil
        filters = settings.highpass.map {
            let filter = HighPass(corner: $0, rate: settings.rate)
            return (filter, filter)
        }
        meter = CaptureMeter(
            rate: settings.rate, channels: settings.channels, holdsDC: settings.highpass == nil)
        summary.format = format.description

        capacity = max(format.rate / 5, format.period, 64)
        outputCapacity = (capacity * rate + format.rate - 1) / format.rate + 16
        input = .allocate(byteCount: capacity * format.channels * format.sample.bytes, alignment: 16)
        decoded = .allocate(capacity: capacity * format.channels)
        resampled = .allocate(capacity: outputCapacity * lanes)
        output = .allocate(capacity: outputCapacity * channels)
    }

    deinit {
        input.deallocate()
        decoded.deallocate()
        resampled.deallocate()
        output.deallocate()
    }

    /// Takes `count` frames from `input`, at most `capacity`. Readings that became whole are reported.
    /// True when the input has been constant for one second and never was anything else.
    func takeInput(_ count: Int, at now: Duration, report: (MicrophoneEvent) -> Void) -> Bool {
        let samples = count * format.channels
        format.sample.decode(input, count: samples, into: decoded)
        let silent = presence.isMissing(decoded, count: count)
        let clipped = Clipping.count(decoded, count: samples)
        offset?.remove(decoded, count: count)
        mixer?.mix(decoded, count: count)
        if gain != 1 {
            for i in 0..<(count * lanes) { decoded[i] *= gain }
        }
        taken += count
        emit(count, inputClipped: clipped, at: now, report: report)
        return silent
    }

    /// Puts silence where `count` frames of the device were lost by an overrun.
    func insertSilence(_ count: Int, at now: Duration, report: (MicrophoneEvent) -> Void) {
        let start = wholeLength
        var left = count
        let end = ((taken + count) * rate + format.rate / 2) / format.rate
        replaced = (replaced.upperBound > summary.frames ? replaced.lowerBound : start)..<end
        summary.overruns += 1
        summary.inserted += end - start
        while left > 0 {
            let part = min(left, capacity)
            decoded.update(repeating: 0, count: part * lanes)
            taken += part
            emit(part, inputClipped: 0, at: now, report: report)
            left -= part
        }
    }

    /// Brings out what the resampler still holds, so that the recording is as long as what was captured.
    func finish(at now: Duration, report: (MicrophoneEvent) -> Void) {
        guard let latency = resampler?.latency else { return }
        var left = latency + 1
        while left > 0, summary.frames < wholeLength {
            let part = min(left, capacity)
            decoded.update(repeating: 0, count: part * lanes)
            emit(part, inputClipped: 0, at: now, report: report)
            left -= part
        }
    }

    /// Frames of the recording that the frames taken in amount to, to the nearest.
    private var wholeLength: Int { (taken * rate + format.rate / 2) / format.rate }

    /// The later half, from `decoded` on: `count` frames of `lanes` channels at the device's rate.
    private func emit(
        _ count: Int, inputClipped: Int, at now: Duration, report: (MicrophoneEvent) -> Void
    ) {
        var samples = decoded
        var frames = count
        if resampler != nil {
            // A fraction of a frame may be rounded up at the very end; never more than was captured.
            let room = min(outputCapacity, wholeLength - summary.frames)
            frames = resampler?.process(decoded, count: count, into: resampled, room: room) ?? 0
            samples = resampled
        }
        filters?.0.apply(samples, count: frames, stride: lanes)
        if lanes == 2 { filters?.1.apply(samples + 1, count: frames, stride: 2) }

        let clipped = toInt16(samples, frames: frames)
        // An overload may show at the device, after the gain, or at both: it is one and the same.
        let overloads = max((inputClipped * rate + format.rate - 1) / format.rate, clipped)
        summary.clipped += overloads
        if frames > 0 { sink.take(UnsafeBufferPointer(start: output, count: frames * channels)) }
        measure(frames, clipped: overloads > 0, at: now, report: report)
    }

    /// Rounds to 16 bits into `output`, mutes what is inside the settling time, keeps the peak. Returns the samples
    /// that full scale cut off.
    private func toInt16(_ samples: UnsafePointer<Float>, frames: Int) -> Int {
        let silent = max(min(muted - summary.frames, frames), 0)
        output.update(repeating: 0, count: silent * channels)
        let copies = channels - lanes  // a mono device in a stereo recording: each sample twice
        var peak: Int32 = 0
        var clipped = 0
        for i in (silent * lanes)..<(frames * lanes) {
            let x = samples[i]
            let bounded = x < 32_767 ? (x > -32_768 ? x : -32_768) : 32_767
            if bounded != x { clipped &+= 1 }
            let value = Int32(bounded + (bounded < 0 ? -0.5 : 0.5))
            peak = max(peak, abs(value))
            if copies == 0 {
                output[i] = Int16(truncatingIfNeeded: value)
            } else {
                output[2 &* i] = Int16(truncatingIfNeeded: value)
                output[2 &* i &+ 1] = Int16(truncatingIfNeeded: value)
            }
        }
        summary.peak = max(summary.peak, Int(peak))
        return clipped
    }

    /// Feeds the meter and reports every block that became whole.
    private func measure(_ frames: Int, clipped: Bool, at now: Duration, report: (MicrophoneEvent) -> Void) {
        var done = 0
        while done < frames {
            let part = min(meter.room, frames - done)
            let place = summary.frames..<(summary.frames + part)
            let marks =
                (clipped ? LevelReading.Marks.clipped.rawValue : 0)
                | (place.lowerBound < muted ? LevelReading.Marks.muted.rawValue : 0)
                | (place.overlaps(replaced) ? LevelReading.Marks.inserted.rawValue : 0)
            let block = output + done * channels
            if let reading = meter.add(block, count: part, marks: .init(rawValue: marks), at: now) {
                report(.reading(reading))
            }
            done += part
            summary.frames += part
        }
    }
}
