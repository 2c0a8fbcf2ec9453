import Foundation
import Testing
import Wire

/// What the commands print: JSON for machines, one sentence for what is wrong.
@Suite struct CommandOutputTests {
    /// A host with one utterance and a device that runs, and every command that has --json.
    @Test func everyJSONOutputIsJSON() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let microphone = try study.wav(.phrase())
        let finished = try await device.simulate(microphone, press: "0.1+1", "--mode", "hold")
        #expect(try finished.json().count == 1)
        let id = try #require(try await study.utterances().first?["utterance"]?.string)
        for arguments in [
            ["list", "--json"], ["list", "--last", "1", "--json"], ["show", id, "--json"],
            ["devices", "--json"],
            ["check", "--json"], ["pair", "--json"],
        ] {
            let printed = try await study.run("lapel-host", arguments + ["--dir", study.hostFolder])
            #expect(printed.status == 0, "\(arguments): \(printed.errors)")
            #expect(try printed.json().count == 1, "\(arguments): \(printed.output)")
        }
        #expect(try study.hostEvents().compactMap { $0["event"]?.string }.first == "listening")

        let running = try await device.start(microphone)
        let commands = [
            ["status"], ["outbox"], ["ledger"], ["config"], ["key"],
            ["outbox", "export", study.folder.file("copy")],
        ]
        for arguments in commands {
            let printed = try await study.run("lapel", arguments + ["--json", "--outbox-dir", device.path])
            #expect(printed.status == 0, "\(arguments): \(printed.errors)")
            #expect(try !printed.json().isEmpty, "\(arguments)")
        }
        let endpoint = try await study.run("lapel-lab", ["endpoint", "--json", microphone])
        #expect(try endpoint.json().count == 1)
        try await running.end()
    }

    @Test func eachPressOfALongScriptIsReported() async throws {
        let study = try Study()
        let device = study.device()
        let script = (0..<40).map { "\(0.1 + 0.1 * Double($0))+0.05" }.joined(separator: ",")
        let finished = try await device.simulate(try study.wav(.phrase()), press: script, "--mode", "hold")
        let presses = try finished.json().compactMap { $0["press_ns"]?.int }
        #expect(presses.count == 40)
        #expect(presses == presses.sorted())
    }

    @Test func outboxLedgerAndConfigAreReadWithoutADevice() async throws {
        let study = try Study()
        let device = study.device()
        _ = try await device.simulate(try study.wav(.phrase()), press: "0.1+1", "--mode", "hold")
        #expect(try await device.lapel("outbox", "--json").json().first?.elements?.count == 1)
        let records = try await device.lapel("ledger", "--json").json()
        #expect(records.map { $0["record"] } == ["opening", "first_sample", "closed"])
        #expect(records == device.ledger())
        #expect(try await device.lapel("config", "--json").json().first?["rate"]?["value"] == "16000")
    }

    @Test func configTellsWhereEachValueComesFrom() async throws {
        let study = try Study()
        let file = try study.folder.write("my.conf", Array("# mine\n[turn]\nlongest_s = 30\n".utf8))
        let printed = try await study.run("lapel", ["config", "--json", "--config", file, "--mode", "memo"])
        let config = try #require(try printed.json().first)
        #expect(config["longest_s"] == ["value": "30", "origin": .string("\(file), line 3")])
        #expect(config["mode"] == ["value": "memo", "origin": "command line"])
        #expect(config["rate"] == ["value": "16000", "origin": "default"])
    }

    @Test func aRunningDeviceTellsTheSettingsItRunsWith() async throws {
        let study = try Study()
        let device = study.device()
        let running = try await device.start(try study.wav(.phrase()), "--mode", "memo", "--format", "flac")
        let config = try #require(try await device.lapel("config", "--json").json().first)
        #expect(config["mode"]?["value"] == "memo")
        #expect(config["format"]?["value"] == "flac")
        try await running.end()
    }

    @Test(arguments: [
        ["run", "--nonsense"], ["status", "--mic", "x"], ["config", "--mode", "loud"], ["frobnicate"],
        ["run", "--simulate", "--press", "soon", "--mic", "x.wav"], ["run", "--press", "1"],
        ["run", "--simulate", "--mic", "x.wav", "--microphone", "hw:0", "--press", "1"],
        ["pair", "lapel://x"], ["key", "lose"], ["key", "export"], ["config", "--backup-recipient", "age1x"],
    ])
    func aWrongCommandLineIsOneSentence(arguments: [String]) async throws {
        let study = try Study()
        let refused = try await study.run("lapel", arguments)
        #expect([1, 2].contains(refused.status))
        #expect(refused.output.isEmpty)
        #expect(refused.sentences.count == 1, "\(refused.errors)")
        #expect(refused.errors.hasPrefix("lapel: "))
    }

    @Test(arguments: [["list", "--nonsense"], ["frobnicate"], ["serve", "--listen", "nowhere"], ["show"]])
    func aWrongCommandLineOfTheHostIsOneSentence(arguments: [String]) async throws {
        let study = try Study()
        let refused = try await study.run("lapel-host", arguments)
        #expect([1, 2].contains(refused.status))
        #expect(refused.output.isEmpty)
        #expect(refused.sentences.count == 1, "\(refused.errors)")
    }
}
