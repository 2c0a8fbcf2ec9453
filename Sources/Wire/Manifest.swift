/// What travels beside an utterance's audio: everything the host must know of it.
///
/// Times are nanoseconds: `monotonic` since the zero of `CLOCK_MONOTONIC`, `boot` since the zero of
/// `CLOCK_BOOTTIME` (it runs through suspend), `wall` since 1970 by the device's own clock, which may be wrong.
package struct Manifest: Equatable, Sendable {
    /// One instant in all three clocks.
    package struct Stamp: Equatable, Sendable {
        package var monotonic: Int64
        package var boot: Int64
        package var wall: Int64

        package init(monotonic: Int64, boot: Int64, wall: Int64) {
            self.monotonic = monotonic
            self.boot = boot
            self.wall = wall
        }
    }

    /// One meter reading of the utterance, so that its end can be explained and replayed.
    package struct Reading: Equatable, Sendable {
        /// dBFS, rounded to 0.01.
        package var dbfs: Double
        /// `LevelReading.Marks` as a number, 0 to 15; 0 for a reading that the rule judged.
        package var marks: Int
        /// What a rule that hears more than the level heard: of each of the reading's five frames the probability of
        /// speech in 255ths, then the floor in half dB below full scale; two hexadecimal digits each. Nil where the
        /// rule goes by levels alone.
        package var speech: String?

        /// Stands for nil where the readings' texts are written one behind the other.
        static let noSpeech = "------------"

        package init(dbfs: Double, marks: Int, speech: String? = nil) {
            self.dbfs = dbfs
            self.marks = marks
            self.speech = speech
        }
    }

    /// What the manifest stands for.
    package enum Kind: Equatable, Sendable {
        /// An utterance: audio stands beside it.
        case utterance
        /// A hole in the order, so that no loss is silent: these utterances, by `seq`, were dropped unsent.
        case gap(lost: [UInt64])
    }

    package var kind: Kind
    /// 32 hexadecimal digits.
    package var utterance: String
    package var seq: UInt64
    /// The device's pin, 64 hexadecimal digits; empty before the device has a key.
    package var device: String
    package var deviceName: String
    /// `/proc/sys/kernel/random/boot_id`.
    package var bootID: String
    /// The press.
    package var start: Stamp
    /// The end of the recording; nil in the head manifest of a running recording.
    package var end: Stamp?
    /// Whether the wall clock was synchronised at the start; nil when the machine does not say.
    package var wallSynchronised: Bool?
    /// SHA-256 of the audio file, 64 hexadecimal digits; empty in a head manifest.
    package var sha256: String
    package var bytes: Int
    /// "opus", "flac" or "wav".
    package var format: String
    package var rate: Int
    package var channels: Int
    package var frames: Int
    /// Frames of silence inserted for overruns.
    package var insertedFrames: Int
    package var overruns: Int
    /// Largest magnitude, 0…32768.
    package var peak: Int
    package var clipped: Int
    /// Microseconds from press to first sample; nil when none came.
    package var firstSampleMicroseconds: Int?
    /// "hangover", "button", "longest", … ; "recovered" for what salvage finished.
    package var endReason: String
    package var speechSeconds: Double
    package var rule: String
    /// The rule's parameters by name.
    package var ruleParameters: [String: Double]
    package var readings: [Reading]
    package var mode: String
    package var language: String
    package var participant: String
    package var session: String
    package var software: String
    /// Finished by salvage after a crash.
    package var recovered: Bool

    package init(utterance: String, seq: UInt64, start: Stamp, format: String, rate: Int, channels: Int) {
        self.utterance = utterance
        self.seq = seq
        self.start = start
        self.format = format
        self.rate = rate
        self.channels = channels
        kind = .utterance
        device = ""
        deviceName = ""
        bootID = ""
        end = nil
        wallSynchronised = nil
        sha256 = ""
        bytes = 0
        frames = 0
        insertedFrames = 0
        overruns = 0
        peak = 0
        clipped = 0
        firstSampleMicroseconds = nil
        endReason = ""
        speechSeconds = 0
        rule = ""
        ruleParameters = [:]
        readings = []
        mode = ""
        language = ""
        participant = ""
        session = ""
        software = ""
        recovered = false
    }

    /// Seconds of audio.
    package var seconds: Double { rate > 0 ? Double(frames) / Double(rate) : 0 }
}
