import CALSA

/// What a device was set to. Frames are the device's.
struct DeviceFormat: Equatable, Sendable, CustomStringConvertible {
    let sample: SampleFormat
    let rate: Int
    let channels: Int
    /// Frames between two interrupts: the shortest wake-up.
    let period: Int
    /// Frames that the device keeps for a late reader.
    let buffer: Int

    /// Frames that wake the reader once the first period was read: 100 ms, one reading of the meter; less where the
    /// device's buffer is so short that a reader woken then would come too late.
    var wakeUp: Int { max(period, min(rate / 10, buffer / 2)) }

    var description: String { "\(sample.name) \(rate) Hz \(channels) channel\(channels == 1 ? "" : "s")" }
}

/// Negotiation (SPECIFICATION.md, "Microphone"). Formats, rates and channels are tried in that order, each inside
/// the one before; a device that has none of those rates is taken at its rate nearest to the recording's.
extension CaptureDevice {
    private static let rates: [UInt32] = [48_000, 16_000, 44_100]

    /// Sets the device up for a recording of `rate` frames per second and `channels`: period 10 ms, buffer 500 ms,
    /// a start threshold beyond reach. Nil when it offers no format of ours.
    borrowing func configure(rate: Int, channels: Int) throws(ALSAError) -> DeviceFormat? {
        var all: OpaquePointer?
        var chosen: OpaquePointer?
        try check("be described", snd_pcm_hw_params_malloc(&all))
        defer { snd_pcm_hw_params_free(all) }
        try check("be described", snd_pcm_hw_params_malloc(&chosen))
        defer { snd_pcm_hw_params_free(chosen) }
        try check("be described", snd_pcm_hw_params_any(pcm, all))
        guard snd_pcm_hw_params_set_access(pcm, all, SND_PCM_ACCESS_RW_INTERLEAVED) >= 0 else { return nil }

        guard let (sample, count) = choose(chosen, from: all, near: UInt32(rate), channels: channels) else {
            return nil
        }
        var real: UInt32 = 0
        try check("tell its rate", snd_pcm_hw_params_get_rate(chosen, &real, nil))
        var period = snd_pcm_uframes_t(max(real / 100, 1))
        var buffer = snd_pcm_uframes_t(max(real / 2, 2))
        try check("be set up", snd_pcm_hw_params_set_period_size_near(pcm, chosen, &period, nil))
        try check("be set up", snd_pcm_hw_params_set_buffer_size_near(pcm, chosen, &buffer))
        try check("be set up", snd_pcm_hw_params(pcm, chosen))
        try check("tell its period", snd_pcm_hw_params_get_period_size(chosen, &period, nil))
        try check("tell its buffer", snd_pcm_hw_params_get_buffer_size(chosen, &buffer))
        try setWakeUp(frames: Int(period))
        return DeviceFormat(
            sample: sample, rate: Int(real), channels: count, period: Int(period), buffer: Int(buffer))
    }

    /// The first combination that the device has, set in `chosen`.
    private borrowing func choose(
        _ chosen: OpaquePointer?, from all: OpaquePointer?, near rate: UInt32, channels: Int
    ) -> (SampleFormat, Int)? {
        let counts = channels == 2 ? [2, 1] : [1, 2]
        let rates: [UInt32?] = Self.rates + [nil]  // nil: the nearest it has
        // Every listed rate in every format comes before any unlisted one.
        for listed in [true, false] {
            for format in SampleFormat.allCases {
                for wanted in rates where (wanted != nil) == listed {
                    for count in counts {
                        snd_pcm_hw_params_copy(chosen, all)
                        guard snd_pcm_hw_params_set_format(pcm, chosen, format.alsa) >= 0,
                            snd_pcm_hw_params_set_channels(pcm, chosen, UInt32(count)) >= 0
                        else { continue }
                        var near = rate
                        let answer =
                            if let wanted {
                                snd_pcm_hw_params_set_rate(pcm, chosen, wanted, 0)
                            } else {
                                snd_pcm_hw_params_set_rate_near(pcm, chosen, &near, nil)
                            }
                        if answer >= 0 { return (format, count) }
                    }
                }
            }
        }
        return nil
    }

    /// A sleeping reader is woken when `frames` are there. Legal while the device runs.
    borrowing func setWakeUp(frames: Int) throws(ALSAError) {
        var software: OpaquePointer?
        try check("be set up", snd_pcm_sw_params_malloc(&software))
        defer { snd_pcm_sw_params_free(software) }
        try check("be set up", snd_pcm_sw_params_current(pcm, software))
        var boundary: snd_pcm_uframes_t = 0
        try check("be set up", snd_pcm_sw_params_get_boundary(software, &boundary))
        try check("be set up", snd_pcm_sw_params_set_start_threshold(pcm, software, boundary))
        try check("be set up", snd_pcm_sw_params_set_avail_min(pcm, software, snd_pcm_uframes_t(frames)))
        try check("be set up", snd_pcm_sw_params(pcm, software))
    }

    /// What the device has, in a few words, for a message: its formats, or nothing when it does not tell.
    borrowing func offered() -> String {
        var all: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&all) >= 0 else { return "" }
        defer { snd_pcm_hw_params_free(all) }
        guard snd_pcm_hw_params_any(pcm, all) >= 0 else { return "" }
        var names: [String] = []
        for raw in 0...SND_PCM_FORMAT_LAST.rawValue {
            let format = snd_pcm_format_t(rawValue: raw)
            if snd_pcm_hw_params_test_format(pcm, all, format) == 0, let name = snd_pcm_format_name(format) {
                names.append(String(cString: name))
            }
        }
        var fewest: UInt32 = 0
        var most: UInt32 = 0
        snd_pcm_hw_params_get_channels_min(all, &fewest)
        snd_pcm_hw_params_get_channels_max(all, &most)
        return "\(names.joined(separator: ", ")); \(fewest)–\(most) channels"
    }
}
