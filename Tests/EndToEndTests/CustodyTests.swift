import AudioFiles
import Foundation
import Host
import Lab
import Testing
import Wire

/// Kills, signals and a host that is away: nothing is lost, nothing comes twice.
@Suite struct CustodyTests {
    @Test func withTheHostDownTheUtteranceStaysAndTheNextRunDeliversItOnce() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let microphone = try study.wav(.phrase())
        try await study.endHost(SIGTERM)
        let alone = try await device.simulate(microphone, press: "0.1+1", "--mode", "hold")
        #expect(alone.status == 1)
        #expect(alone.sentences.last?.contains("1 utterance waits in the outbox") == true, "\(alone.errors)")
        #expect(device.recordings("out").count == 1)

        try await study.startHost()
        let again = try await device.simulate(microphone, press: "0.1+1", "--mode", "hold")
        #expect(again.status == 0, "\(again.errors)")
        let turns = try alone.json() + again.json()
        #expect(try await study.utterances().map { $0["utterance"] } == turns.map { $0["utterance"] })
        #expect(device.files("out").isEmpty)
    }

    @Test func aHostThatComesBackInTimeGetsTheUtteranceInTheSameRun() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let running = try await device.start(try study.wav(.phrase()), "--mode", "hold")
        try await study.endHost(SIGKILL)
        _ = try await running.press()
        try await running.until("first_sample")
        try await running.untilRecorded(bytes: 2_000)
        try running.panel.send("release")
        try await running.untilItSays("Next try in")
        #expect(device.recordings("out").count == 1)
        try await study.startHost()
        try await study.untilStored(1)
        try await running.untilItSays("let go")
        #expect(device.files("out").isEmpty)
        #expect(try await study.utterances().count == 1)
    }

    @Test(arguments: ["wav", "flac", "opus"])
    func aRecordingThatAKillCutShortIsRecoveredAndIsWhatWasPlayedSoFar(format: String) async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let microphone = try study.wav(.sample("demo"))
        let running = try await device.start(
            microphone, "--mode", "memo", "--press", "0.1", "--format", format, "--highpass", "off")
        // Well into the speech, which begins after 1 s.
        try await running.untilRecorded(bytes: ["wav": 80_000, "flac": 40_000, "opus": 8_000][format] ?? 0)
        try await running.end(SIGKILL)
        #expect(device.recordings("rec").count == 1)

        let next = try await device.start(microphone)
        try await study.untilStored(1)
        try await next.untilItSays("let go")
        try await next.end()
        let utterances = try await study.utterances()
        #expect(utterances.count == 1)
        let id = utterances.first?["utterance"]?.string ?? ""
        #expect(
            try await study.host("show", id, "--json").json().first?["manifest"]?["recovered"]?.bool == true)
        #expect(device.files("rec").isEmpty && device.files("out").isEmpty)

        let recording = try await study.onlyRecording()
        let played = try AudioFile.read(microphone)
        #expect(recording.seconds > 1.5)
        let comparison = try #require(AudioComparison(recording: recording, file: played))
        #expect(abs(comparison.offsetSeconds) <= 0.010)
        #expect(format == "opus" ? comparison.correlation >= 0.90 : comparison.identical)
    }

    @Test func aKilledHostIsStartedAgainAndNothingIsLostOrDoubled() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let running = try await device.start(try study.wav(.phrase()), "--mode", "hold")
        for round in 1...3 {
            _ = try await running.press()
            try await running.until("first_sample", count: round)
            try await running.untilRecorded(bytes: 2_000)
            try running.panel.send("release")
            try await running.until("closed", count: round)
            // In the middle of what it may be doing with this one.
            if round == 2 {
                try await study.endHost(SIGKILL)
                try await study.startHost()
            }
        }
        try await running.until("the outbox is empty") {
            device.files("out").isEmpty && device.files("rec").isEmpty
        }
        try await running.end()
        let presses = device.ledger().filter { $0["record"] == "opening" }.compactMap { $0["press"]?.string }
        let stored = try await study.utterances()
        // The one that was cut may come after the one behind it.
        #expect(stored.compactMap { $0["utterance"]?.string }.sorted() == presses.sorted())
        #expect(stored.allSatisfy { $0["state"] == "stored" })
        let checked = try await study.host("check")
        #expect(checked.status == 0, "\(checked.output)")
    }

    @Test func sigtermDuringATurnKeepsWhatWasRecorded() async throws {
        let study = try Study()
        let device = study.device()
        let running = try await device.start(try study.wav(.phrase()), "--mode", "memo", "--press", "0.1")
        try await running.untilRecorded(bytes: 2_000)
        let finished = try await running.end(SIGTERM)
        #expect(finished.status == 0, "\(finished.errors)")
        #expect(try finished.json().map { $0["end_reason"] } == ["shutdown"])
        #expect(device.recordings("out").count == 1)
        #expect(device.files("rec").isEmpty)
        #expect(!FileManager.default.fileExists(atPath: device.path + "/control"))
        #expect(device.ledgerWords() == ["opening", "first_sample", "closed"])
    }

    @Test func aDeviceWithoutAHostKeepsWhatIsSaid() async throws {
        let study = try Study()
        let device = study.device()
        let finished = try await device.simulate(try study.wav(.phrase()), press: "0.1+1", "--mode", "hold")
        #expect(finished.status == 0, "\(finished.errors)")
        let listed = try await device.lapel("outbox", "--json")
        let waiting = try listed.json().first?.elements ?? []
        let turns = try finished.json()
        #expect(waiting.map { $0["utterance"] } == turns.map { $0["utterance"] })
        #expect(waiting.map { $0["place"] } == ["out"])
    }

    @Test func exportCopiesOutWhatNoHostHas() async throws {
        let study = try Study()
        let device = study.device()
        _ = try await device.simulate(
            try study.wav(.phrase()), press: "0.1+1", "--mode", "hold", "--format", "wav")
        let target = study.folder.file("stick")
        let exported = try await device.lapel("outbox", "export", target, "--json")
        #expect(exported.status == 0, "\(exported.errors)")
        let key = study.folder.file("stick.key")
        let keyExported = try await device.lapel("key", "export", key)
        #expect(keyExported.status == 0, "\(keyExported.errors)")
        let copies = folderEntries(target).filter { $0.hasSuffix(".wav.age") }
        #expect(copies.count == 1)
        for copy in copies {
            let opened = try await study.age(key, target + "/" + copy)
            #expect(try AudioFile.read(opened).seconds > 0.5)
        }
        #expect(device.recordings("out").count == 1)
    }
}
