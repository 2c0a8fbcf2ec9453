import Hardware
import TestSupport

@testable import ALSAAudio

/// A sound card of a test's own: the paced plugin, a WAV file and a control file in one folder.
struct Card {
    let folder = TemporaryFolder()
    var rate = 16_000
    var channels = 1
    var bits = 16
    var extensible = false
    /// Added to the plugin's definition.
    var extra = ""

    init(rate: Int = 16_000, channels: Int = 1, bits: Int = 16, extensible: Bool = false, extra: String = "")
    {
        self.rate = rate
        self.channels = channels
        self.bits = bits
        self.extensible = extensible
        self.extra = extra
    }

    /// ALSA configuration in which `mic` is this card.
    var configuration: String {
        "pcm_type.card { lib \"\(pacedMicrophonePlugin)\" } "
            + "pcm.mic { type card wav \"\(folder.file("heard.wav"))\" ctl \"\(folder.file("control"))\" \(extra) }"
    }

    /// What is heard: interleaved samples, full scale ±1.
    func plays(_ samples: [Double]) throws {
        let scale = Double(1 << (bits - 1))
        try plays(integers: samples.map { Int(min(max(($0 * scale).rounded(), -scale), scale - 1)) })
    }

    /// What is heard, in steps of the format.
    func plays(integers: [Int]) throws {
        var bytes = header(dataBytes: integers.count * bits / 8)
        for value in integers { bytes += little(value, bits / 8) }
        try folder.write("heard.wav", bytes)
    }

    func header(dataBytes: Int) -> [UInt8] {
        var format = little(extensible ? 0xFFFE : 1, 2) + little(channels, 2) + little(rate, 4)
        format += little(rate * channels * bits / 8, 4) + little(channels * bits / 8, 2) + little(bits, 2)
        if extensible {
            format +=
                little(22, 2) + little(bits, 2) + little(0, 4) + little(1, 2)
                + [UInt8](repeating: 0, count: 14)
        }
        return Array("RIFF".utf8) + little(20 + format.count + dataBytes, 4) + Array("WAVEfmt ".utf8)
            + little(format.count, 4) + format + Array("data".utf8) + little(dataBytes, 4)
    }

    /// The word in the control file.
    func control(_ word: String) throws { try folder.write("control", Array(word.utf8)) }

    func settings(_ change: (inout CaptureSettings) -> Void = { _ in }) -> CaptureSettings {
        var settings = CaptureSettings(device: "mic", configuration: configuration, highpass: nil)
        change(&settings)
        return settings
    }

    /// Captures until reading `last` has come, and closes.
    func capture(
        through last: Int, _ change: (inout CaptureSettings) -> Void = { _ in }
    ) -> (MicrophoneLog, CaptureSummary) {
        let log = MicrophoneLog()
        let microphone = ALSAMicrophone(settings: settings(change), sink: log) { log.report($0) }
        begin(microphone, log)
        log.untilReading(last)
        microphone.perform(.close)
        let summary = log.untilClosed() ?? CaptureSummary()
        microphone.shutDown()
        return (log, summary)
    }
}

/// Opens and reads; false when a step failed.
@discardableResult
func begin(_ microphone: ALSAMicrophone, _ log: MicrophoneLog) -> Bool {
    for step in [.open, .configure, .start] as [MicrophoneStep] {
        microphone.perform(step)
        guard log.isDone(step) else { return false }
    }
    microphone.perform(.read)
    return true
}

func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
