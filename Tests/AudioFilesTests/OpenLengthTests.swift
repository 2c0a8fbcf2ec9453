import AudioFiles
import Foundation
import TestSupport
import Testing

/// Files whose head says nothing of their length, because it was sealed before that was known.
@Suite struct OpenLengthTests {
    private let folder = TemporaryFolder()

    @Test(arguments: AudioFormat.allCases, [1, 2])
    func theyAreReadToTheirEnd(format: AudioFormat, channels: Int) throws {
        let samples = channels == 1 ? Speech.sentence : Speech.stereo(Speech.sentence)
        let open = try encoded(samples, format, channels: channels, patchable: false)
        let closed = try encoded(samples, format, channels: channels)
        let pcm = try AudioFile.read(folder.write("open", open))
        let whole = try AudioFile.read(folder.write("closed", closed))
        #expect(pcm.samples == whole.samples)
        #expect(pcm.frames * pcm.inputRate / pcm.rate == Speech.sentence.count)
    }

    @Test(arguments: AudioFormat.allCases, [1, 2])
    func salvageCompletesThemAndChangesNoSound(format: AudioFormat, channels: Int) throws {
        let samples = channels == 1 ? Speech.sentence : Speech.stereo(Speech.sentence)
        let open = try encoded(samples, format, channels: channels, patchable: false)
        let before = try AudioFile.read(folder.write("a", open)).samples
        let salvaged = try salvage(path: folder.file("a"), format: format)
        #expect(salvaged.frames == Speech.sentence.count && salvaged.channels == channels)
        #expect(try AudioFile.read(folder.file("a")).samples == before)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("a"))).count == open.count)
    }

    @Test func aCompletedWAVIsTheOneThatWasNeverOpen() throws {
        let path = try folder.write("a", encoded(Speech.second, .wav, patchable: false))
        _ = try salvage(path: path, format: .wav)
        let mended = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let whole = try encoded(Speech.second, .wav)
        #expect(mended == whole)
    }

    @Test(arguments: [0, 1, 2, 3]) func aWAVThatEndsInsideASampleLosesOnlyThat(missing: Int) throws {
        let stereo = Speech.stereo(Speech.second)
        let open = try encoded(stereo, .wav, channels: 2, patchable: false).dropLast(missing)
        let path = try folder.write("a", Array(open))
        let frames = Speech.second.count - (missing == 0 ? 0 : 1)
        #expect(try AudioFile.read(path).frames == frames)
        #expect(try salvage(path: path, format: .wav).frames == frames)
        #expect(try AudioFile.read(path).samples == Array(stereo.prefix(2 * frames)))
    }

    @Test func flacSaysThatItsLengthIsUnknown() throws {
        let open = try encoded(Speech.second, .flac, patchable: false)
        // The last 36 bits of the sample count, then the MD5 (RFC 9639 §8.2).
        #expect(open[21] & 0x0F == 0 && open[22..<42].allSatisfy { $0 == 0 })
    }

    @Test(arguments: AudioFormat.allCases) func anOpenFileThatIsCutIsMended(format: AudioFormat) throws {
        let open = try encoded(Speech.sentence, format, patchable: false)
        let path = try folder.write("a", Array(open.prefix(open.count * 2 / 3)))
        let salvaged = try salvage(path: path, format: format)
        #expect(salvaged.frames > Speech.sentence.count / 3 && salvaged.frames < Speech.sentence.count)
        let pcm = try AudioFile.read(path)
        #expect(pcm.frames * pcm.inputRate / pcm.rate == salvaged.frames)
    }

    @Test(.enabled(if: Tool.exists("flac"))) func flacAcceptsAFileOfUnknownLength() throws {
        let path = try folder.write("a.flac", encoded(Speech.sentence, .flac, patchable: false))
        let (status, output) = try Tool.run("flac", "-t", path)
        #expect(status == 0, "\(output)")
    }
}
