import AudioFiles
import Host
import Lab
import Testing
import Wire

/// One press, one utterance on the host: what was played is what is stored.
@Suite struct MainJobTests {
    @Test func onePressIsOneUtteranceOnTheHost() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let finished = try await device.simulate(try study.wav(.phrase()), press: "0.1")
        #expect(finished.status == 0, "\(finished.errors)")
        let turn = try #require(try finished.json().first)
        let utterances = try await study.utterances()
        #expect(utterances.map { $0["utterance"] } == [turn["utterance"]])
        #expect(utterances.first?["state"] == "stored")
        #expect(utterances.first?["end_reason"] == "hangover")
        #expect(device.files("out").isEmpty)
        #expect(device.files("rec").isEmpty)
        #expect(device.ledgerWords() == ["opening", "first_sample", "closed"])
    }

    /// In the order in which the wearer would notice them.
    @Test func everyStationOfAPressIsReportedInItsOrder() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let finished = try await device.simulate(try study.wav(.phrase()), press: "0.1")
        let after = try finished.json().first?["after_press_s"]
        let stations = ["light", "first_sample", "speech", "end", "kept", "received", "let_go"]
        let times = stations.compactMap { after?[$0]?.double }
        #expect(times.count == stations.count)
        #expect(times == times.sorted())
    }

    @Test(arguments: ["wav", "flac"])
    func withoutGainAndHighPassTheHostsSamplesAreThePlayedOnes(format: String) async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let played = try Sound.phrase()
        let finished = try await device.simulate(
            try study.wav(played), press: "0.1", "--format", format, "--highpass", "off", "--gain", "0")
        #expect(finished.status == 0, "\(finished.errors)")
        let stored = try await study.onlyRecording()
        // The file is heard from its first sample on by each opening; after its end there is silence.
        let captured = try #require(device.ledger().last?["frames"]?.int)
        #expect(stored.samples.count == captured)
        #expect(stored.rate == 16_000)
        let silence = [Int16](repeating: 0, count: captured - played.samples.count)
        #expect(stored.samples == played.samples + silence)
    }

    @Test func whatTheHostWritesForAPlayerIsWhatItStored() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        _ = try await device.simulate(
            try study.wav(.phrase()), press: "0.1+1", "--mode", "hold", "--format", "flac")
        let id = try #require(try await study.utterances().first?["utterance"]?.string)
        let written = study.folder.file("player.wav")
        let played = try await study.host("play", id, "--to", written)
        #expect(played.status == 0, "\(played.errors)")
        let recording = try await study.onlyRecording()
        #expect(try AudioFile.read(written) == recording)
    }

    @Test(arguments: ["demo", "command-1", "sentence-1"])
    func withTheDefaultsTheHostHearsWhatWasPlayed(name: String) async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let microphone = try study.wav(.sample(name))
        let finished = try await device.simulate(microphone, press: "0.1")
        #expect(finished.status == 0, "\(finished.errors)")
        let recording = try await study.onlyRecording()
        let comparison = try #require(
            AudioComparison(recording: recording, file: try AudioFile.read(microphone)))
        #expect(comparison.correlation >= 0.90)
        // ± one period of the card.
        let captured = Double(try #require(device.ledger().last?["frames"]?.int)) / 16_000
        #expect(abs(recording.seconds - captured) <= 0.010)
        #expect(abs(comparison.offsetSeconds) <= 0.010)
    }

    @Test func theHostFindsItsRecordingInThePlayedFileAndNotInAnother() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let microphone = try study.wav(.sample("sentence-1"))
        _ = try await device.simulate(microphone, press: "0.1+2", "--mode", "hold")
        let id = try #require(try await study.utterances().first?["utterance"]?.string)
        let same = try await study.lab("compare", id, microphone, "--json")
        #expect(same.status == 0)
        #expect(try same.json().first?["same"]?.bool == true)
        let other = try await study.lab(
            "compare", id, study.wav(.sample("command-3"), "other.wav"), "--json")
        #expect(other.status == 1)
        #expect(try other.json().first?["same"]?.bool == false)
    }
}
