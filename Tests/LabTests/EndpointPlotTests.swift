import Foundation
import Lab
import TestSupport
import Testing

@Suite struct EndpointPlotTests {
    private let folder = TemporaryFolder()
    private let talk = "..... .. ######## " + String(repeating: ".", count: 40)

    @Test func drawingSaysWhenAndWhyItEnded() throws {
        let texts = try drawn(EndpointRun.wav(talk), as: "a.wav")
        #expect(
            texts.contains("a.wav") && texts.contains("end 4.5 s · hangover") && texts.contains("3.0 s quiet")
        )
        for words in [
            "level", "floor", "threshold", "speech", "measures the room", "time in s", "level in dBFS",
        ] {
            #expect(texts.contains(words))
        }
    }

    @Test func drawingOfWhatNeverEndsSaysSo() throws {
        let texts = try drawn(EndpointRun.wav("..... ####"), as: "a.wav")
        #expect(texts.contains("no end") && !texts.contains { $0.hasPrefix("level after") })
    }

    @Test func nameOfTheFileIsNoMarkup() throws {
        let texts = try drawn(EndpointRun.wav(talk), as: "<b>&\"quoted\"\u{1}.wav")
        #expect(texts.contains("<b>&\"quoted\"\u{FFFD}.wav"))
    }

    @Test(arguments: [
        "0.1,nan\n", "0.1,-60\n", "inf,-60\n0.1,-60\n", "nan,-60\n", "1e300,-1e300\n1e301,1e300\n",
        "0.2,-60\n0.1,-20\n0.1,-20\n", "-1e308,0\n1e308,0\n",
        "1,-400\n2,400\n3,-400\n4,400\n5,-400\n6,400\n7,-400\n8,400\n",
    ])
    func strangeReadingsAreDrawnOrRefused(text: String) throws {
        let input = try folder.write("a.csv", Array(text.utf8))
        let run = lapelEndpoint("--plot", folder.file("a.svg"), input)
        if run.code == 0 { _ = try Self.texts(folder.file("a.svg")) } else { #expect(run.errors.count == 1) }
    }

    @Test func longRecordingIsASmallDrawing() throws {
        let text = (1...36_000).map { "\(Double($0) / 10),\($0 % 7 * -10)\n" }.joined()
        _ = try drawn(Array(text.utf8), as: "a.csv")
        let size = try FileManager.default.attributesOfItem(atPath: folder.file("drawing.svg"))[.size] as? Int
        #expect((size ?? .max) < 1_000_000)
    }

    @Test func severalFilesGiveADrawingEach() throws {
        let wav = try folder.write("a.wav", EndpointRun.wav(talk))
        let csv = try folder.write("a.csv", EndpointRun.csv(talk))
        let run = lapelEndpoint("--plot", folder.file("out.svg"), wav, csv, wav)
        #expect(run.code == 0)
        for name in ["out-a.wav.svg", "out-a.csv.svg", "out-a.wav-2.svg"] {
            #expect(FileManager.default.fileExists(atPath: folder.file(name)), "\(name)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("out.svg")))
    }

    @Test func drawingThatCannotBeWrittenIsToldAfterTheAnswer() throws {
        let wav = try folder.write("a.wav", EndpointRun.wav(talk))
        let run = lapelEndpoint("--json", "--plot", folder.file("none/out.svg"), wav)
        #expect(run.code == 1 && run.lines.count == 1 && run.errors.count == 1)
        #expect(run.errors[0].contains("cannot be written"))
    }

    private func drawn(_ bytes: [UInt8], as name: String) throws -> [String] {
        let input = try folder.write(name, bytes)
        let run = lapelEndpoint("--plot", folder.file("drawing.svg"), input)
        #expect(run.code == 0 && run.errors.isEmpty)
        return try Self.texts(folder.file("drawing.svg"))
    }

    /// The words of a drawing, which must be well-formed XML without a coordinate that is no number.
    private static func texts(_ path: String) throws -> [String] {
        let document = try String(contentsOfFile: path, encoding: .utf8)
        #expect(document.hasPrefix("<?xml") && document.hasSuffix("</svg>\n"))
        #expect(!document.contains("nan") && !document.contains("inf"))
        return document.components(separatedBy: "<text ").dropFirst().compactMap { part in
            guard let start = part.firstIndex(of: ">"), let end = part.range(of: "</text>") else {
                return nil
            }
            return part[part.index(after: start)..<end.lowerBound]
                .replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
                .replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(of: "&amp;", with: "&")
        }
    }
}
