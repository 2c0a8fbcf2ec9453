import AudioFiles
import TestSupport
import Testing

@Suite struct WAVReaderTests {
    private let folder = TemporaryFolder()
    private let samples: [Int16] = [0, 1, -1, 32_767, -32_768, 1234]

    // MARK: - Encodings

    @Test func sixteenBitSamplesAreReadAsTheyAre() throws {
        let file = try read(WAVBytes(samples: samples))
        #expect(file.samples == samples)
        #expect(file.rate == 16_000 && file.channels == 1 && file.bitsPerSample == 16 && file.frames == 6)
    }

    @Test(
        arguments: [
            (8, [0x80, 0x00, 0xFF, 0x81], [0, -32_768, 32_512, 256]),
            (24, [0, 0, 0x80, 0xFF, 0xFF, 0x7F, 0x80, 0, 0, 0x7F, 0, 0], [-32_768, 32_767, 1, 0]),
            (32, [0, 0, 0, 0x80, 0, 0x80, 0, 0, 0xFF, 0x7F, 0, 0], [-32_768, 1, 0]),
        ] as [(Int, [UInt8], [Int16])])
    func otherWidthsAreRoundedToSixteenBit(bits: Int, data: [UInt8], expected: [Int16]) throws {
        var wav = WAVBytes()
        wav.bits = bits
        wav.data = data
        #expect(try read(wav).samples == expected)
    }

    @Test func floatIsHeldAtFullScaleAndNoNumberIsSilence() throws {
        var wav = WAVBytes()
        wav.code = 3
        wav.bits = 32
        let values: [Float] = [0, 0.5, -0.5, 1, -1, 7, -.infinity, .nan]
        wav.data = values.flatMap { little(Int($0.bitPattern), 4) }
        #expect(try read(wav).samples == [0, 16_384, -16_384, 32_767, -32_768, 32_767, -32_768, 0])
    }

    @Test(arguments: [(1, 16), (1, 24), (3, 32)])
    func extendedFormatIsReadByItsSubformat(code: Int, bits: Int) throws {
        var wav = WAVBytes()
        wav.code = code
        wav.bits = bits
        wav.channels = 2
        wav.subformatTail = WAVBytes.standardTail
        wav.data = [UInt8](repeating: 0, count: bits / 8 * 2 * 3)
        #expect(try read(wav).samples == [0, 0, 0, 0, 0, 0])
    }

    // MARK: - Where the samples are

    @Test(arguments: [0, 1, 2, 1001])
    func chunksBeforeTheSamplesArePassedOver(size: Int) throws {
        var wav = WAVBytes(samples: samples)
        wav.before = [("LIST", [UInt8](repeating: 7, count: size)), ("fact", [1, 2, 3, 4])]
        wav.after = [("LIST", [9, 9, 9])]
        #expect(try read(wav).samples == samples)
    }

    @Test(arguments: [0, 0xFFFF_FFFF, 0x7FFF_FFFE, 14, 1_000_000])
    func sizeThatIsNotTrueTakesWhatIsThere(size: Int) throws {
        var wav = WAVBytes(samples: samples)
        wav.dataSize = size
        wav.outerSize = size
        #expect(try read(wav).samples == samples)
    }

    @Test func sixtyFourBitSizesTakeWhatIsThere() throws {
        var wav = WAVBytes(samples: samples)
        wav.outerName = "RF64"
        wav.outerSize = 0xFFFF_FFFF
        wav.dataSize = 0xFFFF_FFFF
        wav.before = [("ds64", [UInt8](repeating: 0, count: 28))]
        #expect(try read(wav).samples == samples)
    }

    @Test func sampleCutInHalfIsLeftOut() throws {
        var wav = WAVBytes(samples: samples)
        wav.channels = 2
        wav.dataSize = 0xFFFF_FFFF
        let path = try folder.write("a.wav", wav.bytes.dropLast(1))
        #expect(try WAVFile(path: path).samples == Array(samples.prefix(4)))
    }

    @Test func headerIsReadWithoutSamples() throws {
        var wav = WAVBytes(samples: samples)
        wav.channels = 2
        wav.rate = 44_100
        let header = try WAVFile.header(try folder.write("a.wav", wav.bytes))
        #expect(
            header.frames == 3 && header.channels == 2 && header.rate == 44_100 && header.dataOffset == 44)
        #expect(header.encoding == .integer && header.seconds == 3.0 / 44_100)
    }

    @Test(arguments: [1, 2, 4, 5, 6, 100])
    func blocksTogetherAreTheFile(frames: Int) throws {
        var reader = try WAVReader(path: try folder.write("a.wav", WAVBytes(samples: samples).bytes))
        var all: [Int16] = []
        while true {
            let block = try reader.read(frames: frames)
            if block.isEmpty { break }
            all += block
        }
        #expect(all == samples)
    }

    // MARK: - One channel of several

    @Test(
        arguments: [
            (1, [5, -7], [5, -7]), (2, [1, 2, -1, -2, 32_767, 32_767], [2, -2, 32_767]),
            (2, [-32_768, -32_768], [-32_768]), (3, [3, 3, 4, 1, 2, 4], [3, 2]), (2, [], []),
        ] as [(Int, [Int16], [Int16])])
    func monoIsTheMeanOfAllChannels(channels: Int, samples: [Int16], mono: [Int16]) {
        #expect(WAVFile.mono(samples, channels: channels) == mono)
    }

    // MARK: - What is no sound

    @Test func missingFileSaysSo() {
        let path = folder.file("none.wav")
        #expect(throws: AudioFileError.missing(path: path)) { try WAVFile(path: path) }
    }

    @Test func folderSaysSo() {
        #expect(throws: AudioFileError.unreadable(path: folder.path, reason: "it is a folder")) {
            try WAVFile(path: folder.path)
        }
    }

    @Test(
        arguments: [
            ("", .empty(path: "")), ("RIFF", .truncatedHeader(path: "")),
            ("hello, I am text", .notWAV(path: "", found: nil)),
            ("fLaC and so on", .notWAV(path: "", found: "a FLAC file")),
            ("OggS and so on", .notWAV(path: "", found: "an Ogg file")),
            ("\0\0\0\u{18}ftypM4A ", .notWAV(path: "", found: "an MP4 file")),
            ("RIFF1234AVI ", .notWAV(path: "", found: nil)),
            ("RIFF1234WAVE", .truncatedHeader(path: "")), ("x", .notWAV(path: "", found: nil)),
        ] as [(String, AudioFileError)])
    func otherContentIsNamed(content: String, expected: AudioFileError) throws {
        #expect(try failure(Array(content.utf8)) == sentence(expected))
    }

    @Test(arguments: 12..<44)
    func fileThatEndsInItsHeaderSaysSo(length: Int) throws {
        let bytes = Array(WAVBytes(samples: samples).bytes.prefix(length))
        #expect(try failure(bytes) == sentence(.truncatedHeader(path: "")))
    }

    @Test func finishedFileWithoutSamplesSaysSo() throws {
        let onlyFormat = Array("RIFF\u{1C}\0\0\0".utf8) + WAVBytes().bytes[8..<36]
        #expect(try failure(onlyFormat) == sentence(.noSamples(path: "")))
        var wav = WAVBytes()
        wav.after = [("LIST", [1, 2, 3, 4])]
        #expect(try failure(wav.bytes) == sentence(.noSamples(path: "")))
        #expect(try failure(WAVBytes().bytes) == sentence(.noSamples(path: "")))
    }

    @Test(arguments: [
        (6, 8, "A-law"), (7, 8, "µ-law"), (2, 4, "ADPCM"), (0x55, 16, "MP3"), (1, 12, "12-bit PCM"),
        (3, 64, "64-bit float"), (0x1234, 16, "the encoding with number 4660"),
    ])
    func encodingThatIsNotReadIsNamed(code: Int, bits: Int, name: String) throws {
        var wav = WAVBytes(samples: samples)
        wav.code = code
        wav.bits = bits
        #expect(try failure(wav.bytes) == sentence(.unsupportedEncoding(path: "", encoding: name)))
    }

    @Test func vendorsOwnEncodingIsNamed() throws {
        var wav = WAVBytes(samples: samples)
        wav.subformatTail = [UInt8](repeating: 1, count: 14)
        #expect(
            try failure(wav.bytes)
                == sentence(.unsupportedEncoding(path: "", encoding: "a vendor's own encoding")))
    }

    @Test(arguments: [(0, 16_000, 2), (1, 0, 2), (1, 16_000, 4), (2, 16_000, 2)])
    func formatThatContradictsItselfIsDamage(channels: Int, rate: Int, bytesPerFrame: Int) throws {
        var wav = WAVBytes(samples: samples)
        wav.channels = channels
        wav.rate = rate
        wav.bytesPerFrame = bytesPerFrame
        #expect(try failure(wav.bytes).contains("damaged WAV header"))
    }

    @Test func samplesBeforeTheirFormatAreDamage() throws {
        let bytes = Array("RIFF\u{10}\0\0\0WAVEdata".utf8) + little(4, 4) + [1, 2, 3, 4]
        #expect(try failure(bytes).contains("damaged WAV header"))
    }

    /// Whatever stands in the file, it is read or refused in a sentence.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func damagedBytesAreReadOrRefused(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var wav = WAVBytes(samples: samples)
        wav.before = [("LIST", [1, 2, 3])]
        for round in 0..<100 {
            var bytes = wav.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let path = try folder.write("\(round).wav", bytes)
            do {
                let file = try WAVFile(path: path)
                #expect(!file.samples.isEmpty)
            } catch {
                #expect(error.description.hasSuffix(".") && error.description.contains(path))
            }
        }
    }

    private func read(_ wav: WAVBytes) throws -> WAVFile {
        try WAVFile(path: try folder.write("a.wav", wav.bytes))
    }

    /// The error's sentence, without the path.
    private func failure(_ bytes: [UInt8]) throws -> String {
        let path = try folder.write("a.wav", bytes)
        do {
            _ = try WAVFile(path: path)
        } catch {
            return error.description.replacing(path, with: "")
        }
        Issue.record("the file was read")
        return ""
    }

    private func sentence(_ error: AudioFileError) -> String { error.description }
}
