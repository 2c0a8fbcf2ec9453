import AudioFiles
import Foundation
import Terminal
import TestSupport
import Testing
import Wire

@testable import Lab

@Suite struct ComparisonTests {
    private func pcm(_ samples: [Int16], rate: Int = 16_000, channels: Int = 1) -> PCM {
        PCM(rate: rate, channels: channels, inputRate: rate, samples: samples)
    }

    @Test(arguments: [0, 1, 160, 12_345])
    func aPieceOfAFileIsFoundToTheSample(offset: Int) throws {
        let file = babble(seconds: 4, seed: 1)
        let piece = Array(file[offset..<offset + 48_000])
        let comparison = try #require(AudioComparison(recording: pcm(piece), file: pcm(file)))
        #expect(comparison.identical)
        #expect(comparison.offsetSeconds == Double(offset) / 16_000)
        #expect(comparison.correlation > 0.999)
    }

    @Test func whatLastsLongerThanAnyRecordingIsNotDecoded() throws {
        let folder = TemporaryFolder()
        let wav = WAVBytes.make(babble(seconds: 2, seed: 1), rate: 16_000)
        try Data(wav).write(to: URL(fileURLWithPath: folder.file("x.wav")))
        #expect(try WholeSound.read(folder.file("x.wav"), mostSeconds: 2).frames == 32_000)
        let error = errorThrown(CommandError.self) {
            try WholeSound.read(folder.file("x.wav"), mostSeconds: 1)
        }
        #expect(error?.description.contains("lasts longer than") == true)
    }

    @Test func silenceBeforeAndAfterTheFileIsStillTheFile() throws {
        let file = babble(seconds: 2.5, seed: 1)
        let recording = [Int16](repeating: 0, count: 800) + file + [Int16](repeating: 0, count: 48_000)
        let comparison = try #require(AudioComparison(recording: pcm(recording), file: pcm(file)))
        #expect(comparison.identical)
        #expect(comparison.offsetSeconds == -0.05)
    }

    @Test func oneOtherSampleIsNotIdenticalAndTheSameSound() throws {
        let file = babble(seconds: 2.5, seed: 1)
        var other = file
        other[20_000] ^= 1
        let comparison = try #require(AudioComparison(recording: pcm(other), file: pcm(file)))
        #expect(!comparison.identical)
        #expect(comparison.same)
    }

    @Test func anotherSoundIsNotTheSame() throws {
        let comparison = try #require(
            AudioComparison(
                recording: pcm(babble(seconds: 2.5, seed: 1)), file: pcm(babble(seconds: 2.5, seed: 2))))
        #expect(!comparison.same)
        #expect(comparison.correlation < 0.6)
    }

    @Test(arguments: [8_000, 44_100, 48_000])
    func anotherRateIsTheSameSound(rate: Int) throws {
        // Bandlimited by being built from slow sines, so that every rate holds all of it.
        func sound(_ rate: Int) -> [Int16] {
            (0..<rate * 3).map { index in
                let t = Double(index) / Double(rate)
                let loud = sin(2 * .pi * 1.3 * t) > 0 ? 6000.0 : 60
                return Int16(loud * (sin(2 * .pi * (400 + 200 * sin(2 * t)) * t) + sin(2 * .pi * 1700 * t)))
            }
        }
        let comparison = try #require(
            AudioComparison(recording: pcm(sound(16_000)), file: pcm(sound(rate), rate: rate)))
        #expect(abs(comparison.offsetSeconds) < 0.001)
        #expect(comparison.same)
        #expect(!comparison.identical)
    }

    @Test func theLiveChannelOfAStereoFileCounts() throws {
        let mono = babble(seconds: 2.5, seed: 1)
        let stereo = mono.flatMap { sample -> [Int16] in [0, sample] }
        let comparison = try #require(AudioComparison(recording: pcm(mono), file: pcm(stereo, channels: 2)))
        #expect(comparison.correlation > 0.999)
    }

    @Test func silenceCannotBeCompared() {
        let silence = [Int16](repeating: 0, count: 32_000)
        #expect(AudioComparison(recording: pcm(silence), file: pcm(babble(seconds: 2, seed: 1))) == nil)
        #expect(AudioComparison(recording: pcm([1, 2]), file: pcm(silence)) == nil)
    }

    /// Real speech through Opus at 24 kb/s: the figure to expect is 0.97 (40 clips: never below 0.94), while two
    /// different sentences stay far below what counts.
    @Test(arguments: ["sentence-1", "sentence-2", "sentence-3", "command-1", "command-2"])
    func opusKeepsTheSoundOfSpeech(name: String) throws {
        let file = try AudioFile.read(sample(name))
        let sink = Bytes()
        let encoder = try AudioEncoder(format: .opus, rate: 16_000, channels: 1, sink: sink)
        try file.samples.withUnsafeBufferPointer { try encoder.write($0) }
        try encoder.finish()
        let folder = TemporaryFolder()
        let recording = try AudioFile.read(folder.write("x.opus", sink.bytes))
        let comparison = try #require(AudioComparison(recording: recording, file: file))
        #expect(comparison.correlation > 0.93)
        #expect(abs(comparison.offsetSeconds) < 0.001)
        let other = try AudioFile.read(sample(name == "sentence-1" ? "sentence-2" : "sentence-1"))
        #expect(try #require(AudioComparison(recording: recording, file: other)).correlation < 0.8)
    }

    private func sample(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path + "/board/samples/\(name).wav"
    }
}

/// Keeps an encoder's bytes.
private final class Bytes: ByteSink {
    var bytes: [UInt8] = []

    func append(_ more: UnsafeRawBufferPointer) { bytes += more }

    func overwrite(_ other: UnsafeRawBufferPointer, at offset: Int) {
        bytes.replaceSubrange(offset..<offset + other.count, with: other)
    }
}
