import AudioFiles
import Foundation
import Host
import Lab
import Testing
import Wire

/// Files that people have, as what the microphone hears.
@Suite struct InputFileTests {
    struct Form: Sendable, CustomTestStringConvertible {
        let rate: Int
        let bits: Int
        let channels: Int
        var testDescription: String { "\(rate) Hz, \(bits) bit, \(channels) channels" }
    }

    @Test(arguments: [
        Form(rate: 44_100, bits: 16, channels: 2), Form(rate: 8_000, bits: 16, channels: 1),
        Form(rate: 48_000, bits: 24, channels: 1), Form(rate: 48_000, bits: 24, channels: 2),
        Form(rate: 16_000, bits: 32, channels: 1), Form(rate: 96_000, bits: 32, channels: 2),
    ])
    func everyPlainFormOfSoundIsRecorded(form: Form) async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let microphone = try study.wav(
            .phrase().resampled(to: form.rate), bits: form.bits, channels: form.channels)
        let finished = try await device.simulate(microphone, press: "0.1+2.2", "--mode", "hold")
        #expect(finished.status == 0, "\(finished.errors)")
        let recording = try await study.onlyRecording()
        let played = try AudioFile.read(microphone)
        let comparison = try #require(AudioComparison(recording: recording, file: played))
        #expect(comparison.correlation >= 0.90)
        #expect(recording.channels == 1)
        #expect((2...3.2).contains(recording.seconds))
    }

    enum Unusable: String, CaseIterable, Sendable {
        case missing
        case empty
        case text
        case folder
        case float
        case flac
        case headerOnly

        /// Puts it into the folder; returns its path.
        func make(in study: Study) throws -> String {
            let name = "\(rawValue).wav"
            switch self {
            case .missing: break
            case .empty: try study.folder.write(name, [])
            case .text: try study.folder.write(name, Array("Dear diary, nothing was recorded today.\n".utf8))
            case .folder:
                try FileManager.default.createDirectory(
                    atPath: study.folder.file(name), withIntermediateDirectories: false)
            case .float: try study.folder.write(name, try Sound.phrase().floatWAV())
            case .flac: try study.folder.write(name, Array("fLaC".utf8) + [UInt8](repeating: 0, count: 400))
            case .headerOnly: try study.folder.write(name, Sound.silence(seconds: 0).wav(bits: 16))
            }
            return study.folder.file(name)
        }
    }

    @Test(arguments: Unusable.allCases)
    func aFileThatCannotBeHeardIsRefusedInOneSentenceThatNamesIt(file: Unusable) async throws {
        let study = try Study()
        let device = study.device()
        let path = try file.make(in: study)
        let finished = try await device.simulate(path, press: "0.1")
        #expect(finished.status == 1)
        #expect(finished.output.isEmpty)
        #expect(finished.sentences.count == 1, "\(finished.errors)")
        #expect(finished.errors.contains(path))
        // Not even the outbox's folder was made.
        #expect(!FileManager.default.fileExists(atPath: device.path))
    }
}
