import Foundation
import TestSupport
import Testing

@testable import AudioFiles

@Suite struct SalvageTests {
    private let folder = TemporaryFolder()

    @Test(arguments: AudioFormat.allCases)
    func aFileCutAnywhereIsMendedToAPrefixOfWhatWasSaid(format: AudioFormat) throws {
        let sink = MemorySink()
        let encoder = try AudioEncoder(format: format, rate: 16_000, channels: 1, sink: sink)
        let head = sink.bytes.count
        try encode(Speech.second, with: encoder)
        let bytes = sink.bytes
        let firstBlock = sink.appends.reduce(0) { $0 > head ? $0 : $0 + $1.count }
        let whole = try AudioFile.read(folder.write("whole", bytes)).samples
        for length in stride(from: 0, through: bytes.count, by: 100) {
            let path = try folder.write("cut", Array(bytes[..<length]))
            let salvaged: Salvaged
            do {
                salvaged = try salvage(path: path, format: format)
            } catch {
                // Only a first block that is torn may be beyond help.
                #expect((head..<firstBlock).contains(length), "cut at \(length): \(error)")
                #expect(try content(path) == Array(bytes[..<length]))
                continue
            }
            guard salvaged.frames > 0 else { continue }
            let pcm = try AudioFile.read(path)
            #expect(pcm.frames * 16_000 / pcm.rate == salvaged.frames)
            #expect(try content(path).count == salvaged.bytes)
            // Opus fades the last packet's end differently when the next one is missing: compare before it.
            let compared = format == .opus ? max(0, pcm.samples.count - 960) : pcm.samples.count
            #expect(pcm.samples[..<compared] == whole[..<compared], "cut at \(length)")
        }
    }

    @Test(arguments: AudioFormat.allCases) func aCutCostsAtMostTheLastBlock(format: AudioFormat) throws {
        let bytes = try encoded(Speech.sentence, format, finish: false)
        let path = try folder.write("a", bytes.dropLast(1).map { $0 })
        let salvaged = try salvage(path: path, format: format)
        let missing = Speech.sentence.count - salvaged.frames
        #expect(missing < 16_000 * 7 / 10, "\(missing) frames")
        #expect(salvaged.rate == 16_000 && salvaged.channels == 1)
    }

    @Test(arguments: AudioFormat.allCases) func salvagingTwiceChangesNothingMore(format: AudioFormat) throws {
        let bytes = try encoded(Speech.second, format, finish: false)
        let path = try folder.write("a", bytes.dropLast(77).map { $0 })
        let first = try salvage(path: path, format: format)
        let mended = try content(path)
        #expect(try salvage(path: path, format: format) == first)
        #expect(try content(path) == mended)
    }

    @Test(arguments: [AudioFormat.opus, .flac]) func aTailOfZerosIsCutOff(format: AudioFormat) throws {
        let bytes = try encoded(Speech.second, format, finish: false)
        let clean = try salvage(path: folder.write("a", bytes), format: format)
        let tailed = try salvage(
            path: folder.write("b", bytes + [UInt8](repeating: 0, count: 5_000)), format: format)
        #expect(tailed == clean)
        #expect(try content(folder.file("b")) == content(folder.file("a")))
    }

    @Test(arguments: [AudioFormat.opus, .flac]) func aTornLastBlockIsCutOff(format: AudioFormat) throws {
        var bytes = try encoded(Speech.sentence, format, finish: false)
        let clean = try salvage(path: folder.write("a", bytes), format: format)
        for i in bytes.count - 40..<bytes.count { bytes[i] ^= 0x5A }
        let torn = try salvage(path: folder.write("b", bytes), format: format)
        #expect(torn.frames < clean.frames && torn.frames > clean.frames / 2)
        #expect(try AudioFile.read(folder.file("b")).frames > 0)
    }

    /// With the largest rate and time that its fields hold: their product has 72 bits.
    @Test func aHeadThatTellsOfAnImpossibleRateIsCountedAt48kHz() throws {
        var bytes = try encoded(Speech.second, .opus)
        let rate = try #require(bytes.firstRange(of: Array("OpusHead".utf8))).lowerBound + 12
        bytes.replaceSubrange(rate..<rate + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let pages = bytes.ranges(of: Array("OggS".utf8)).map(\.lowerBound)
        let last = try #require(pages.last)
        bytes.replaceSubrange(last + 6..<last + 14, with: [0, 0, 0, 0, 0x80, 0, 0, 0])
        for page in [0, last] {
            let end = pages.first { $0 > page } ?? bytes.count
            let sum = OggPage.checksum(Array(bytes[page..<end]))
            for i in 0..<4 { bytes[page + 22 + i] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(i))) }
        }
        let salvaged = try salvage(path: folder.write("a", bytes), format: .opus)
        #expect(salvaged.rate == 48_000 && salvaged.frames > 1 << 38)
        #expect(try AudioReader(path: folder.file("a")).inputRate == 48_000)
    }

    @Test func silenceInWAVIsKept() throws {
        let samples = Speech.second + [Int16](repeating: 0, count: 8_000)
        let path = try folder.write("a", encoded(samples, .wav, finish: false) + [7])
        let salvaged = try salvage(path: path, format: .wav)
        #expect(salvaged.frames == samples.count)
        #expect(try AudioFile.read(path).samples == samples)
    }

    @Test(arguments: AudioFormat.allCases) func aHeadAloneHoldsNothing(format: AudioFormat) throws {
        let head = try encoded([], format, finish: false)
        for bytes in [
            [], head, head + (format == .wav ? [] : [0, 0, 0]), [UInt8](repeating: 0, count: 9_000),
        ] {
            let path = try folder.write("a", bytes)
            #expect(try salvage(path: path, format: format).frames == 0)
        }
    }

    @Test(arguments: AudioFormat.allCases) func whatCannotBeDecodedIsLeftAsItWas(format: AudioFormat) throws {
        var generator = SeededGenerator(seed: 7)
        let noise = (0..<5_000).map { _ in UInt8.random(in: 1...255, using: &generator) }
        let path = try folder.write("a", noise)
        #expect(throws: AudioFileError.self) { try salvage(path: path, format: format) }
        #expect(try content(path) == noise)
    }

    @Test(arguments: AudioFormat.allCases) func noDamageTraps(format: AudioFormat) throws {
        var generator = SeededGenerator(seed: 11)
        let bytes = try encoded(Array(Speech.second[..<4_800]), format, finish: false)
        for round in 0..<150 {
            var damaged = bytes
            // Half of the rounds hit the head, which says how the rest is read.
            let reach = round.isMultiple(of: 2) ? damaged.count : min(200, damaged.count)
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                damaged[Int.random(in: 0..<reach, using: &generator)] =
                    UInt8.random(in: 0...255, using: &generator)
            }
            let path = try folder.write("a", damaged)
            _ = try? AudioFile.read(path)
            guard let salvaged = try? salvage(path: path, format: format), salvaged.frames > 0 else {
                continue
            }
            #expect(try content(path).count == salvaged.bytes)
            #expect(try AudioFile.read(path).frames > 0, "round \(round)")
        }
    }

    @Test(.enabled(if: Tool.exists("opusinfo"))) func opusinfoAcceptsAMendedFile() throws {
        let bytes = try encoded(Speech.sentence, .opus, finish: false)
        let path = try folder.write("a.opus", Array(bytes[..<(bytes.count * 2 / 3)]))
        _ = try salvage(path: path, format: .opus)
        let (status, output) = try Tool.run("opusinfo", path)
        #expect(status == 0 && !output.lowercased().contains("warning"), "\(output)")
    }

    @Test(.enabled(if: Tool.exists("flac"))) func flacAcceptsAMendedFile() throws {
        let bytes = try encoded(Speech.sentence, .flac, finish: false)
        let path = try folder.write("a.flac", Array(bytes[..<(bytes.count * 2 / 3)]))
        _ = try salvage(path: path, format: .flac)
        let (status, output) = try Tool.run("flac", "-t", path)
        #expect(status == 0, "\(output)")
    }

    private func content(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
