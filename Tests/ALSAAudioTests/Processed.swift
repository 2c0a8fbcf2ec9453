import Hardware
import TestSupport

@testable import ALSAAudio

/// A chain fed by hand: no device, no clock.
struct Processed {
    let samples: [Int16]
    let readings: [LevelReading]
    let summary: CaptureSummary
    /// Chunks after which the chain said that there is no signal.
    let alarms: Int

    /// Interleaved samples of `channels`, full scale ±1. `chunks`: the frames of each chunk, in turn. `lost`: frames
    /// that an overrun takes after the frame of that number.
    init(
        _ heard: [Double], rate: Int = 16_000, channels: Int = 1, sample: SampleFormat = .s16,
        lost: (after: Int, count: Int)? = nil, chunks: [Int] = [160],
        _ change: (inout CaptureSettings) -> Void = { _ in }
    ) throws {
        var settings = CaptureSettings(device: "none", highpass: nil)
        change(&settings)
        let log = MicrophoneLog()
        let format = DeviceFormat(
            sample: sample, rate: rate, channels: channels, period: rate / 100, buffer: rate / 2)
        let chain = try CaptureChain(format: format, settings: settings, sink: log)
        let bytes = Self.encode(heard, sample)
        let frameBytes = channels * sample.bytes
        let total = heard.count / channels
        var (at, turn, alarms) = (0, 0, 0)
        while at < total {
            let limit = if let lost, at < lost.after { min(total, lost.after) } else { total }
            let count = min(chunks[turn % chunks.count], chain.capacity, limit - at)
            turn += 1
            bytes.withUnsafeBytes {
                chain.input.copyMemory(
                    from: sure($0.baseAddress) + at * frameBytes, byteCount: count * frameBytes)
            }
            at += count
            let now = Duration.seconds(Double(at) / Double(rate))
            if chain.takeInput(count, at: now, report: log.report) { alarms += 1 }
            if let lost, at == lost.after { chain.insertSilence(lost.count, at: now, report: log.report) }
        }
        chain.finish(at: .seconds(Double(at) / Double(rate)), report: log.report)
        samples = log.samples
        readings = log.readings
        summary = chain.summary
        self.alarms = alarms
    }

    private static func encode(_ heard: [Double], _ format: SampleFormat) -> [UInt8] {
        let (scale, bytes) =
            switch format {
            case .s32: (0x1p31, 4)
            case .s24: (0x1p23, 4)
            case .s24packed: (0x1p23, 3)
            case .s16: (0x1p15, 2)
            }
        return heard.flatMap { value in
            little(Int(min(max((value * scale).rounded(), -scale), scale - 1)), bytes)
        }
    }
}
