/// How a capture device is opened and how its frames are treated.
package struct CaptureSettings: Equatable, Sendable {
    /// ALSA name, for example `default`, `hw:1`, `plughw:CARD=Mic`.
    package var device: String
    /// ALSA configuration that alone defines `device`; nil means the machine's own configuration.
    package var configuration: String?
    /// Frames per second of the recording: 16000, 44100 or 48000.
    package var rate: Int
    /// Channels of the recording: 1 or 2.
    package var channels: Int
    /// Decibels added to every sample.
    package var gain: Double
    /// Corner of the high-pass in hertz; nil leaves the samples as they are.
    package var highpass: Double?
    /// Muted (not cut) at the start of every opening.
    package var settle: Duration

    package init(
        device: String, configuration: String? = nil, rate: Int = 16_000, channels: Int = 1, gain: Double = 0,
        highpass: Double? = 70, settle: Duration = .zero
    ) {
        self.device = device
        self.configuration = configuration
        self.rate = rate
        self.channels = channels
        self.gain = gain
        self.highpass = highpass
        self.settle = settle
    }
}

/// The meter's reading of 100 ms of audio.
package struct LevelReading: Equatable, Sendable {
    /// Marks of a reading that no rule may judge.
    package struct Marks: OptionSet, Equatable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Inside the microphone's settling time.
        package static let muted = Marks(rawValue: 1)
        /// Holds silence inserted for an overrun.
        package static let inserted = Marks(rawValue: 2)
        /// Under the motor's own noise.
        package static let motor = Marks(rawValue: 4)
        /// At least one sample is at full scale.
        package static let clipped = Marks(rawValue: 8)
        /// A reading with one of these is not fed to any rule.
        package static let unjudged: Marks = [.muted, .inserted, .motor]
    }

    /// From 0; reading k covers k·0.1 s to (k+1)·0.1 s of the recording's time.
    package let index: Int
    /// AES17: a full-scale sine reads 0; digital silence −120. DC is removed first.
    package let dbfs: Double
    package var marks: Marks
    /// When the reading's last period was read, since the zero of `CLOCK_MONOTONIC`.
    package let at: Duration

    package init(index: Int, dbfs: Double, marks: Marks = [], at: Duration) {
        self.index = index
        self.dbfs = dbfs
        self.marks = marks
        self.at = at
    }
}

/// What one opening of the microphone amounted to. Frames at the recording's rate.
package struct CaptureSummary: Equatable, Sendable {
    /// Handed to the sink, silence for overruns included.
    package var frames = 0
    /// Of these: silence inserted for overruns.
    package var inserted = 0
    package var overruns = 0
    /// Largest magnitude, 0…32768.
    package var peak = 0
    /// Samples at full scale.
    package var clipped = 0
    /// Of the device: what was negotiated, for example "S16_LE 16000 Hz 1 channel".
    package var format = ""

    package init() {}
}
