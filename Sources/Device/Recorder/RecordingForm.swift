import AudioFiles
import DeviceMachine
import EndOfSpeech
import Hardware
import Outbox
import Threads
import Turn
import Wire

/// What every recording of this device has in common.
struct RecordingForm: Sendable {
    var format = AudioFormat.opus
    var rate = 16_000
    var channels = 1
    /// kb/s.
    var bitrate = 24
    /// The device's pin, 64 hexadecimal digits.
    var device = ""
    var deviceName = ""
    var language = ""
    var participant = ""
    var session = ""

    /// The manifest of a recording that has begun.
    func head(_ name: ItemName, press: Duration, clocks: Clocks = Clocks()) -> Manifest {
        var manifest = Manifest(
            utterance: name.id, seq: name.seq, start: clocks.stamp(press), format: format.rawValue,
            rate: rate,
            channels: channels)
        manifest.device = device
        manifest.deviceName = deviceName
        manifest.bootID = MonotonicClock.bootID
        manifest.wallSynchronised = MonotonicClock.wallIsSynchronised
        manifest.language = language
        manifest.participant = participant
        manifest.session = session
        manifest.software = "lapel \(lapelVersion)"
        return manifest
    }
}

extension Manifest {
    /// Adds what is known when the utterance has ended.
    mutating func complete(
        with facts: TakeFacts, frames: Int, dropped: Int, bytes: Int, sha256: String,
        clocks: Clocks = Clocks()
    ) {
        end = clocks.stamp(facts.ended)
        self.bytes = bytes
        self.sha256 = sha256
        self.frames = frames
        insertedFrames = facts.summary.inserted + dropped
        overruns = facts.summary.overruns
        peak = facts.summary.peak
        clipped = facts.summary.clipped
        firstSampleMicroseconds = facts.firstSample.map { Int(($0 - facts.press).wholeMicroseconds) }
        endReason = facts.reason.rawValue
        speechSeconds = facts.speechSeconds
        rule = facts.rule
        ruleParameters = facts.ruleParameters
        mode = facts.mode
        readings = facts.readings.map {
            Reading(dbfs: $0.dbfs, marks: Int($0.marks.rawValue), speech: $0.frames?.hexadecimal)
        }
    }
}

extension Clocks {
    func stamp(_ at: Duration) -> Manifest.Stamp {
        Manifest.Stamp(
            monotonic: at.wholeNanoseconds, boot: boot(at).wholeNanoseconds, wall: wall(at).wholeNanoseconds)
    }
}
