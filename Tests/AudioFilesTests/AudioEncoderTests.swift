import AudioFiles
import Foundation
import TestSupport
import Testing

@Suite struct AudioEncoderTests {
    private let folder = TemporaryFolder()

    @Test(arguments: [AudioFormat.flac, .wav], [1, 2])
    func losslessFormatsGiveEverySampleBack(format: AudioFormat, channels: Int) throws {
        let samples = channels == 1 ? Speech.sentence : Speech.stereo(Speech.sentence)
        let path = try folder.write("a", encoded(samples, format, channels: channels))
        let pcm = try AudioFile.read(path)
        #expect(pcm.samples == samples)
        #expect(pcm.rate == 16_000 && pcm.inputRate == 16_000 && pcm.channels == channels)
    }

    @Test(arguments: [44_100, 48_000]) func ratesForMusicAreKept(rate: Int) throws {
        for format in AudioFormat.allCases {
            let path = try folder.write(
                "a", encoded(Speech.stereo(Speech.second), format, rate: rate, channels: 2))
            let pcm = try AudioFile.read(path)
            #expect(pcm.inputRate == rate && pcm.channels == 2)
            #expect(abs(pcm.seconds - 16_000 / Double(rate)) < 0.0001)
        }
    }

    @Test func extremesAreKept() throws {
        let samples: [Int16] = [0, .max, .min, -1, 1, .min, .max]
        for format in [AudioFormat.flac, .wav] {
            #expect(try AudioFile.read(folder.write("a", encoded(samples, format))).samples == samples)
        }
    }

    @Test func opusKeepsLengthAndLoudnessOfSpeech() throws {
        let path = try folder.write("a", encoded(Speech.sentence, .opus))
        let pcm = try AudioFile.read(path)
        #expect(pcm.rate == 48_000 && pcm.inputRate == 16_000 && pcm.channels == 1)
        #expect(pcm.frames == Speech.sentence.count * 3)
        let likeness = correlation(
            levels(Speech.sentence, window: 320), levels(pcm.samples, window: 960))
        #expect(likeness > 0.97)
    }

    @Test func opusStaysNearItsBitRate() throws {
        let bits = try encoded(Speech.sentence, .opus).count * 8
        let perSecond = Double(bits) / (Double(Speech.sentence.count) / 16_000)
        #expect((12_000...32_000).contains(perSecond))
    }

    @Test func opusComesInWholePagesAndIsNeverMuchBehind() throws {
        let sink = MemorySink()
        let encoder = try AudioEncoder(format: .opus, rate: 16_000, channels: 1, sink: sink)
        var written = 0
        try Speech.sentence.withUnsafeBufferPointer { all in
            for start in stride(from: 0, to: all.count - 160, by: 160) {
                try encoder.write(UnsafeBufferPointer(rebasing: all[start..<start + 160]))
                written += 480
                guard let page = sink.appends.last, sink.appends.count > 2 else { continue }
                // Granule: bytes 6…13, little-endian.
                let granule = (0..<8).reduce(0) { $0 | Int(page[6 + $1]) << (8 * $1) }
                #expect(written - granule < 48_000 * 3 / 10)
            }
        }
        #expect(sink.appends.allSatisfy { $0.starts(with: Array("OggS".utf8)) })
        #expect(sink.appends.count > 15)
    }

    @Test(arguments: AudioFormat.allCases, [16_000, 44_100])
    func theFramesInAFileAreTheOnesThatItDecodesTo(format: AudioFormat, rate: Int) throws {
        let whole = try encoded(Speech.stereo(Speech.sentence), format, rate: rate, channels: 2).count
        for capacity in [Int.max, whole * 9 / 10, whole / 2, whole / 3] {
            let sink = MemorySink(capacity: capacity)
            let encoder = try AudioEncoder(format: format, rate: rate, channels: 2, sink: sink)
            do {
                try encode(Speech.stereo(Speech.sentence), with: encoder, channels: 2)
                try encoder.finish()
            } catch is MemorySink.Full { try? encoder.finish() }
            let pcm = try AudioFile.read(folder.write("a", sink.bytes))
            #expect(encoder.framesInFile == pcm.frames * pcm.inputRate / pcm.rate)
            #expect(encoder.framesInFile > 0)
            #expect((encoder.framesInFile == Speech.sentence.count) == (capacity == .max))
        }
    }

    @Test func wavSaysWhatIsThereUntilItIsFinished() throws {
        let open = try encoded(Speech.second, .wav, finish: false)
        #expect(open[4..<8].allSatisfy { $0 == 0xFF } && open[40..<44].allSatisfy { $0 == 0xFF })
        #expect(try AudioFile.read(folder.write("open", open)).samples == Speech.second)
        let done = try encoded(Speech.second, .wav)
        let size = (0..<4).reduce(0) { $0 | Int(done[40 + $1]) << (8 * $1) }
        #expect(size == Speech.second.count * 2)
    }

    @Test(arguments: AudioFormat.allCases)
    func whatTheSinkThrowsComesOutAndTheRestStaysReadable(format: AudioFormat) throws {
        let whole = try encoded(Speech.sentence, format).count
        let sink = MemorySink(capacity: whole / 2)
        let encoder = try AudioEncoder(format: format, rate: 16_000, channels: 1, sink: sink)
        #expect(throws: MemorySink.Full.self) { try encode(Speech.sentence, with: encoder) }
        let calls = sink.calls
        #expect(throws: MemorySink.Full.self) { try encode(Speech.second, with: encoder) }
        #expect(sink.calls == calls)
        let pcm = try AudioFile.read(folder.write("a", sink.bytes))
        #expect(pcm.seconds > 1)
    }

    @Test(arguments: AudioFormat.allCases)
    func sinkThatTakesNotEvenTheHeadIsHeardOf(format: AudioFormat) {
        #expect(throws: MemorySink.Full.self) {
            _ = try AudioEncoder(format: format, rate: 16_000, channels: 1, sink: MemorySink(capacity: 10))
        }
    }

    @Test(arguments: AudioFormat.allCases)
    func encoderThatIsThrownAwayWritesNothingMore(format: AudioFormat) throws {
        let sink = MemorySink()
        var encoder: AudioEncoder? = try AudioEncoder(format: format, rate: 16_000, channels: 1, sink: sink)
        if let encoder { try encode(Speech.second, with: encoder) }
        let calls = sink.calls
        encoder = nil
        #expect(sink.calls == calls)
    }

    @Test(.enabled(if: Tool.exists("opusinfo"))) func opusinfoAcceptsAFinishedFile() throws {
        let (status, output) = try Tool.run(
            "opusinfo", folder.write("a.opus", encoded(Speech.sentence, .opus)))
        #expect(status == 0, "\(output)")
        #expect(!output.lowercased().contains("warning"), "\(output)")
        #expect(output.contains("Original sample rate: 16000"), "\(output)")
    }

    @Test(.enabled(if: Tool.exists("flac"))) func flacAcceptsAFinishedFile() throws {
        let path = try folder.write("a.flac", encoded(Speech.sentence, .flac))
        let (status, output) = try Tool.run("flac", "-t", path)
        #expect(status == 0 && !output.contains("WARNING"), "\(output)")
    }

    /// An Ogg file may go on with another stream; samples of one would be taken for those of the other.
    @Test(arguments: [1, 2]) func opusThatGoesOnWithOtherChannelsIsRefusedThere(channels: Int) throws {
        let first = try encoded(Speech.second, .opus, channels: channels)
        let second = try encoded(Speech.second, .opus, channels: 3 - channels)
        let reader = try AudioReader(path: folder.write("a", first + second))
        var frames = 0
        #expect(throws: AudioFileError.self) {
            while true {
                let block = try reader.read()
                if block.isEmpty { return }
                frames += block.count / channels
            }
        }
        #expect(abs(frames - Speech.second.count / channels * 3) < 960)
    }

    @Test func aFileThatIsNoSoundIsRefused() throws {
        let path = try folder.write("a.opus", Array("hello there".utf8))
        #expect(throws: AudioFileError.unknownFormat(path: path)) { try AudioFile.read(path) }
    }

    /// Root mean square of each window, in decibels above a floor of 1.
    private func levels(_ samples: [Int16], window: Int) -> [Double] {
        stride(from: 0, to: samples.count - window, by: window).map { start in
            let sum = samples[start..<start + window].reduce(0.0) { $0 + Double($1) * Double($1) }
            return 10 * log10(sum / Double(window) + 1)
        }
    }

    private func correlation(_ a: [Double], _ b: [Double]) -> Double {
        let n = min(a.count, b.count)
        let (a, b) = (a.prefix(n), b.prefix(n))
        let (ma, mb) = (a.reduce(0, +) / Double(n), b.reduce(0, +) / Double(n))
        let pairs = zip(a, b).map { ($0 - ma, $1 - mb) }
        let (x, y, xy) = pairs.reduce((0.0, 0.0, 0.0)) {
            ($0.0 + $1.0 * $1.0, $0.1 + $1.1 * $1.1, $0.2 + $1.0 * $1.1)
        }
        return xy / (x * y).squareRoot()
    }
}
