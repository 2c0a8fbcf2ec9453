import AudioFiles
import Foundation
import Host
import Lab
import Testing
import Wire

/// Sealed is the default: who can open what the device holds, and who gets it.
///
/// One after another: each runs in real time.
@Suite(.serialized) struct SealingTests {
    /// One utterance, kept; then `said` is waited for on standard error, and the device ends.
    @discardableResult
    private func record(_ device: Device, _ options: String..., until said: String = "kept") async throws
        -> Finished
    {
        let microphone = try device.study.wav(.sample("sentence-1"))
        let running = try await device.start(microphone, ["--mode", "hold"] + options)
        let before = device.ledgerWords().count { $0 == "first_sample" }
        _ = try await running.press()
        try await running.until("first_sample", count: before + 1)
        try await running.untilRecorded(bytes: 5_000)
        try running.panel.send("release")
        try await running.untilItSays(" kept ")
        try await running.untilItSays(said)
        return try await running.end()
    }

    @Test func debiansAgeOpensWhatTheDeviceHoldsWithTheHostsKey() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        try await study.endHost(SIGTERM)
        try await record(device)
        let name = try #require(device.recordings("out").first)
        #expect(name.hasSuffix(".opus.age"))
        let key = study.hostFolder + "/keys/host.key"
        let audio = try await study.age(key, device.path + "/out/" + name)
        let comparison = try #require(
            AudioComparison(recording: try AudioFile.read(audio), file: try AudioFile.read(study.microphone)))
        #expect(comparison.correlation >= 0.90)
        let manifest = try await study.age(
            key, device.path + "/out/" + name.replacingOccurrences(of: ".opus", with: ".json"))
        #expect(try Manifest(parsing: bytes(manifest)).utterance == device.ledger().first?["press"]?.string)
        // The device holds nothing that opens it.
        for file in folderEntries(device.path + "/identity") {
            let path = device.path + "/identity/" + file
            #expect(!contents(path).contains("AGE-SECRET-KEY"), "\(file)")
        }
    }

    @Test func whatAnUnpairedDeviceSealedArrivesAndOpensAfterThePairing() async throws {
        let study = try await Study.withHost()
        let device = study.device()
        try await record(device)
        let before = try #require(try await device.lapel("key", "--json").json().first)
        #expect(before["key_of"] == "device")
        let key = study.folder.file("own.key")
        #expect(try await device.lapel("key", "export", key).status == 0)
        let name = try #require(device.recordings("out").first)
        let opened = try await study.age(key, device.path + "/out/" + name)
        #expect(try AudioFile.read(opened).seconds > 1)

        #expect(try await device.pair(try await study.pairingURL()).status == 0)
        #expect(!FileManager.default.fileExists(atPath: device.path + "/identity/unpaired.key"))
        let refused = try await device.lapel("key", "export", study.folder.file("again.key"))
        #expect(refused.status == 1 && refused.sentences.count == 1, "\(refused.errors)")
        let after = try #require(try await device.lapel("key", "--json").json().first)
        #expect(after["key_of"] == "host" && after["sealed_to"] != before["sealed_to"])
        #expect(after["signing_key"] == before["signing_key"])

        let running = try await device.start(study.microphone)
        try await study.untilStored(1)
        try await running.untilItSays("let go")
        try await running.end()
        #expect(try await study.onlyRecording().seconds > 1)
    }

    @Test func aPairingThatWasCutShortIsFinishedByTheNextStart() async throws {
        let study = try await Study.withHost()
        let device = study.device()
        try await record(device)
        let key = device.path + "/identity/unpaired.key"
        let saved = try bytes(key)
        #expect(try await device.pair(try await study.pairingURL()).status == 0)
        // As if power had gone between the host's file and the removal of the key.
        try Data(saved).write(to: URL(fileURLWithPath: key))
        let running = try await device.start(study.microphone)
        #expect(!FileManager.default.fileExists(atPath: key))
        try await study.untilStored(1)
        try await running.end()
    }

    @Test func aBackupKeyOpensWhatTheDeviceHolds() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let key = study.folder.file("backup.key")
        #expect(try await study.tool("age-keygen", "-o", key).status == 0)
        let recipient = try #require(
            contents(key).split(separator: "\n").compactMap {
                $0.split(separator: " ").last.map(String.init)
            }.first { $0.hasPrefix("age1") })
        try await study.endHost(SIGTERM)
        try await record(device, "--backup-recipient", recipient)
        let name = try #require(device.recordings("out").first)
        for key in [key, study.hostFolder + "/keys/host.key"] {
            let opened = try await study.age(key, device.path + "/out/" + name)
            #expect(try AudioFile.read(opened).seconds > 1)
        }
    }

    @Test func withoutSealingItIsSaidAtEveryStartAndTheSoundLiesInTheClear() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        try await study.endHost(SIGTERM)
        for _ in 1...2 {
            let ran = try await record(device, "--seal", "off")
            #expect(ran.errors.contains("RECORDINGS ARE STORED IN THE CLEAR"))
        }
        let name = try #require(device.recordings("out").first)
        #expect(try AudioFile.read(device.path + "/out/" + name).seconds > 1)
        try await study.startHost()
        let running = try await device.start(study.microphone)
        try await study.untilStored(2)
        try await running.end()
    }

    // MARK: hosts with other keys

    @Test func aReinstalledHostGetsWhatItCanOpenAndTheRestIsHeldBackUntilItHasTheKey() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        try await study.endHost(SIGTERM)
        try await record(device)
        let old = try #require(device.ledger().last?["press"]?.string)
        let oldKey = study.folder.file("old.key")
        try FileManager.default.copyItem(atPath: study.hostFolder + "/keys/host.key", toPath: oldKey)
        try FileManager.default.removeItem(atPath: study.hostFolder)
        try await study.startHost()

        let paired = try await device.pair(try await study.pairingURL())
        #expect(paired.status == 0, "\(paired.errors)")
        #expect(try paired.json().first?["held_back"] == 1)
        #expect(paired.errors.contains("1 recording is sealed to another host's key"))
        let said = "1 recording is sealed to another host's key and held back"
        #expect(try await record(device, until: "let go").errors.contains(said))
        #expect(try await study.utterances().count == 1)
        let listed = try await device.lapel("outbox", "--json").json().first?.elements ?? []
        #expect(listed.map { $0["utterance"] } == [.string(old)])
        #expect(listed.map { $0["held_back"] } == [true])
        #expect(device.recordings("parked").isEmpty)

        let running = try await device.start(study.microphone)
        #expect(try await running.status { $0["held_back"] == 1 }["held_back"] == 1)
        let imported = try await study.host("key", "import", oldKey)
        #expect(imported.status == 0, "\(imported.errors)")
        #expect(try await device.pair(try await study.pairingURL()).status == 0)
        try await study.untilStored(2)
        try await running.untilItSays("utterance=\(old) stored on the host and let go")
        #expect(try await running.status { $0["held_back"] == 0 }["held_back"] == 0)
        try await running.end()
        #expect(device.files("out").isEmpty)
        let shown = try await study.host("show", old, "--json")
        #expect(shown.status == 0, "\(shown.errors)")
    }

    @Test func ofTwoHostsEachGetsWhatIsSealedToIt() async throws {
        let (first, second) = (try await Study.withHost(), try await Study.withHost())
        let device = try await first.pairedDevice()
        try await first.endHost(SIGTERM)
        try await record(device)
        let forFirst = try #require(device.ledger().last?["press"]?.string)
        #expect(try await device.pair(try await second.pairingURL()).status == 0)
        try await record(device, until: "let go")
        let forSecond = try #require(device.ledger().last?["press"]?.string)
        #expect(try await second.utterances().map { $0["utterance"] } == [.string(forSecond)])
        try await first.startHost()
        #expect(try await device.pair(try await first.pairingURL()).status == 0)
        let running = try await device.start(first.microphone)
        try await first.untilStored(1)
        try await running.end()
        #expect(try await first.utterances().map { $0["utterance"] } == [.string(forFirst)])
        #expect(try await second.utterances().count == 1)
        #expect(device.files("out").isEmpty)
    }

    @Test func aHostWhoseKeyWasExchangedRefusesAndEverythingIsKept() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        try await study.endHost(SIGTERM)
        let key = study.hostFolder + "/keys/host.key"
        let right = study.folder.file("right.key")
        try FileManager.default.moveItem(atPath: key, toPath: right)
        #expect(try await study.tool("age-keygen", "-o", key).status == 0)
        try await study.startHost()
        try await record(device, until: "The host says: ")
        #expect(try await study.utterances().allSatisfy { $0["state"] != "stored" })
        let name = try #require(device.recordings("parked").first)
        #expect(device.files("out").isEmpty)
        let note = try #require(device.files("parked").first { $0.hasSuffix("reason.txt") })
        #expect(contents(device.path + "/parked/" + note).contains("key"))
        let opened = try await study.age(right, device.path + "/parked/" + name)
        #expect(try AudioFile.read(opened).seconds > 1)
    }

    // MARK: crash

    @Test(arguments: ["wav", "flac", "opus"])
    func aKillCostsAtMostTwoSecondsOfASealedRecording(format: String) async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let microphone = try study.wav(.sample("demo"))
        let running = try await device.start(microphone, "--mode", "memo", "--format", format)
        _ = try await running.press()
        try await running.until("first_sample")
        try await running.untilRecorded(bytes: ["wav": 140_000, "flac": 50_000, "opus": 10_000][format] ?? 0)
        let killed = Panel.now
        try await running.end(SIGKILL)
        let first = try #require(device.ledger().first { $0["record"] == "first_sample" })
        let heard = Double(killed - Int64(first["monotonic_ns"]?.int ?? 0)) / 1e9
        #expect(device.recordings("rec").allSatisfy { $0.hasSuffix(".\(format).age") })

        let next = try await device.start(microphone)
        try await study.untilStored(1)
        try await next.untilItSays("let go")
        try await next.end()
        let recording = try await study.onlyRecording()
        #expect(recording.seconds > 1)
        #expect(heard - recording.seconds <= 2.0, "\(heard) s were heard, \(recording.seconds) s are kept")
        let utterance = try #require(try await study.utterances().first)
        #expect(utterance["end_reason"] == "recovered")
        let played = try await study.host(
            "play", utterance["utterance"]?.string ?? "", "--to", study.folder.file("played.wav"))
        #expect(played.status == 0, "\(played.errors)")
        #expect(device.files("rec").isEmpty && device.files("out").isEmpty)
    }
}
