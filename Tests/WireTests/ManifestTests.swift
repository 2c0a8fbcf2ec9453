import TestSupport
import Testing

@testable import Wire

struct ManifestTests {
    private let id = String(repeating: "0123456789abcdef", count: 2)

    private func sample() -> Manifest {
        var m = Manifest(
            utterance: id, seq: 7, start: .init(monotonic: 1, boot: 2, wall: 3), format: "opus", rate: 16_000,
            channels: 1)
        m.device = String(repeating: "ab", count: 32)
        m.deviceName = "lapel on the \"left\" wrist"
        m.bootID = "b3c9"
        m.end = .init(monotonic: 5_000_000_001, boot: 6, wall: -1)
        m.wallSynchronised = false
        m.sha256 = String(repeating: "cd", count: 32)
        m.bytes = 12_345
        m.frames = 80_000
        m.insertedFrames = 160
        m.overruns = 1
        m.peak = 32_768
        m.clipped = 3
        m.firstSampleMicroseconds = 11_400
        m.endReason = "hangover"
        m.speechSeconds = 3.4
        m.rule = "reference"
        m.ruleParameters = ["hangover_s": 1.2, "above_db": 9]
        m.readings = [.init(dbfs: -50.12, marks: 0), .init(dbfs: -120, marks: 10)]
        m.mode = "tap"
        m.language = "de"
        m.participant = "P07"
        m.session = "2"
        m.software = "lapel 0.1"
        m.recovered = true
        return m
    }

    @Test func whatIsWrittenIsReadBackTheSame() throws {
        let manifest = sample()
        #expect(try Manifest(parsing: manifest.encoded()) == manifest)
    }

    @Test func aHeadManifestIsReadBackTheSame() throws {
        let head = Manifest(
            utterance: id, seq: 0, start: .init(monotonic: 1, boot: 2, wall: 3), format: "wav", rate: 48_000,
            channels: 2)
        #expect(try Manifest(parsing: head.encoded()) == head)
    }

    @Test func whatARuleHeardIsReadBackTheSame() throws {
        var manifest = sample()
        manifest.readings = [
            .init(dbfs: -50, marks: 0, speech: "00ff7f4d1a78"), .init(dbfs: -60, marks: 2),
        ]
        let bytes = manifest.encoded()
        #expect(
            String(decoding: bytes, as: UTF8.self).contains(#""reading_speech":"00ff7f4d1a78------------""#))
        #expect(try Manifest(parsing: bytes) == manifest)
    }

    @Test func aManifestOfLevelsAloneSaysNothingOfSpeech() {
        #expect(!String(decoding: sample().encoded(), as: UTF8.self).contains("reading_speech"))
    }

    @Test(arguments: [
        "[null]", #""00ff7f4d1a78""#, #""00FF7F4D1A78------------""#, #""-00ff7f4d1a7-----------8""#, "7",
        #""00ff7f4d1a78-----------é""#,
    ])
    func speechThatDoesNotFitItsReadingsIsRefused(speech: String) throws {
        var manifest = sample()
        manifest.readings[0].speech = "00ff7f4d1a78"
        let text = String(decoding: manifest.encoded(), as: UTF8.self)
            .replacing(#""00ff7f4d1a78------------""#, with: speech)
        #expect(errorThrown(WireError.self) { try Manifest(parsing: Array(text.utf8)) } != nil)
    }

    @Test func aGapKeepsWhatWasLost() throws {
        var gap = sample()
        gap.kind = .gap(lost: [3, 4, 9_999_999_999])
        #expect(try Manifest(parsing: gap.encoded()) == gap)
    }

    @Test func aReadingIsRoundedAndNeverNull() throws {
        var manifest = sample()
        manifest.readings = [
            .init(dbfs: -33.333_333, marks: 0), .init(dbfs: -.infinity, marks: 1),
            .init(dbfs: 1e307, marks: 0),
        ]
        let read = try Manifest(parsing: manifest.encoded())
        #expect(
            read.readings == [
                .init(dbfs: -33.33, marks: 0), .init(dbfs: -120, marks: 1), .init(dbfs: -120, marks: 0),
            ])
    }

    @Test func unknownKeysArePassedOver() throws {
        guard case .object(var members) = sample().json else { return }
        members.append(("from_the_future", ["x": [1, 2]]))
        #expect(try Manifest(json: .object(members)) == sample())
    }

    private static let damage: [(String, JSON)] = [
        ("version", 2), ("version", "1"), ("kind", "song"), ("utterance", "abc"), ("utterance", 5),
        ("seq", -1),
        ("seq", 10_000_000_000), ("seq", 1.5), ("start", nil), ("start", [1, 2, 3]), ("end", 5),
        ("rate_hz", -1),
        ("bytes", -1), ("bytes", "many"), ("sha256", "xyz"), ("recovered", 0), ("wall_synchronised", "no"),
        ("reading_dbfs", [1]), ("reading_marks", "none"), ("reading_marks", [0, 0]), ("reading_marks", "0g"),
        ("reading_dbfs", ["a", "b"]),
        ("rule_parameters", [1]),
        ("rule_parameters", ["a": "b"]),
    ]

    @Test(arguments: damage)
    func aFieldOfAnotherTypeIsNamed(name: String, value: JSON) {
        guard case .object(let members) = sample().json else { return }
        let damaged = JSON.object(members.map { $0.key == name ? ($0.key, value) : $0 })
        #expect(throws: WireError.self) { try Manifest(json: damaged) }
    }

    @Test(arguments: ["version", "utterance", "seq", "start", "format", "rate_hz", "channels"])
    func whatEveryManifestHasMustBeThere(name: String) {
        guard case .object(let members) = sample().json else { return }
        #expect(throws: WireError.self) { try Manifest(json: .object(members.filter { $0.key != name })) }
    }
}
