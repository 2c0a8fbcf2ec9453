import AudioFiles
import Foundation

/// Real speech, 16 kHz mono, from the samples in `board/`.
enum Speech {
    static let sentence: [Int16] = {
        let tests = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        let top = tests.deletingLastPathComponent().deletingLastPathComponent()
        let path = top.appendingPathComponent("board/samples/sentence-1.wav").path
        guard let file = try? WAVFile(path: path) else { preconditionFailure("\(path) cannot be read") }
        return file.samples
    }()

    /// The second in which the sentence is in full swing.
    static let second = Array(sentence[24_000..<40_000])

    /// Two channels: the speech, and the speech a tenth of a second later.
    static func stereo(_ mono: [Int16]) -> [Int16] {
        mono.indices.flatMap { [mono[$0], mono[max(0, $0 - 1_600)]] }
    }
}
