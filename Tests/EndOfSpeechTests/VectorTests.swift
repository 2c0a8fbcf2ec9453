import Foundation
import Testing

@testable import EndOfSpeech

/// The project's samples, and what the trainer's own arithmetic makes of them: `board/training/vectors.py`
/// writes it.
struct Vector: CustomTestStringConvertible, Sendable {
    let name: String
    var testDescription: String { name }

    private static let house = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = house.appendingPathComponent("Tests/Vectors/endpoint")

    static let all: [Vector] =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".rule.json") }.map { Vector(name: String($0.dropLast(10))) }
        .sorted { $0.name < $1.name }

    private func text(_ part: String) throws -> String {
        try String(contentsOf: Self.folder.appendingPathComponent("\(name).\(part)"), encoding: .utf8)
    }

    /// 16 kHz, one channel; the header is 44 bytes. Behind it 4 s of faint noise.
    func samples() throws -> [Int16] {
        let path = Self.house.appendingPathComponent("board/samples/\(name).wav")
        let bytes = Array(try Data(contentsOf: path).dropFirst(44))
        let speech = stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
        var state: UInt32 = 1
        return speech
            + (0..<4 * 16_000).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return Int16(state >> 28) - 8
            }
    }

    func inputs() throws -> [[Float]] {
        try text("inputs.csv").split(separator: "\n").map {
            $0.split(separator: ",").compactMap { Float($0) }
        }
    }

    func probabilities() throws -> [Float] {
        try text("probabilities.csv").split(separator: "\n").compactMap { Float($0) }
    }

    struct Verdict: Decodable, Equatable {
        let end: Double?
        let speech: Double
        let heard: Bool

        private enum CodingKeys: String, CodingKey {
            case end = "end_s"
            case speech = "speech_s"
            case heard
        }
    }

    func verdicts() throws -> [String: Verdict] {
        try JSONDecoder().decode([String: Verdict].self, from: Data(text("rule.json").utf8))
    }
}

/// Of each whole frame the features, and the probability after it.
private func heard(_ samples: [Int16]) -> (inputs: [[Float]], probabilities: [Float]) {
    let features = SpeechFeatures()
    let net = SpeechNet(SpeechNetFile.shipped)
    let inputs = FloatMemory(SpeechFeatures.count)
    var (all, probabilities) = ([[Float]](), [Float]())
    for start in stride(from: 0, through: samples.count - 320, by: 320) {
        let frame = FloatMemory(samples[start..<start + 320].map { Float($0) / 32_768 })
        features.take(frame.start, into: inputs.start)
        all.append((0..<SpeechFeatures.count).map { inputs.start[$0] })
        probabilities.append(net.hear(inputs.start))
    }
    return (all, probabilities)
}

@Suite struct VectorTests {
    @Test func thereAreVectors() { #expect(Vector.all.count >= 5) }

    @Test func featuresAreTheTrainers() throws {
        let vector = Vector(name: "command-1")
        let expected = try vector.inputs()
        let got = heard(try vector.samples()).inputs
        #expect(got.count == expected.count)
        let apart = zip(got, expected).map { zip($0, $1).map { ($0 - $1).magnitude }.max() ?? 0 }
        #expect((apart.max() ?? 1) < 2e-3)
    }

    @Test(arguments: Vector.all)
    func probabilitiesAreTheTrainers(vector: Vector) throws {
        let expected = try vector.probabilities()
        let got = heard(try vector.samples()).probabilities
        #expect(got.count == expected.count)
        let apart = zip(got, expected).map { ($0 - $1).magnitude }.max() ?? 1
        #expect(apart < 1e-4)
    }

    @Test(arguments: Vector.all, EndOfSpeech.Patience.allCases)
    func endsAreTheTrainers(vector: Vector, patience: EndOfSpeech.Patience) throws {
        let expected = try #require(try vector.verdicts()[patience.rawValue])
        var rule = EndOfSpeech(rule: .lapel, patience: patience)
        let frontEnd = LapelFrontEnd()
        try vector.samples().withUnsafeBufferPointer { samples in
            frontEnd.take(samples) { if rule.end == nil { _ = rule.feed($0) } }
        }
        #expect(rule.end?.seconds == expected.end)
        #expect(abs(rule.speechSeconds - expected.speech) < 1e-6)
        #expect(rule.enoughToSend == expected.heard)
    }
}
