import Foundation
import Testing
import Wire

/// The device sends to the host it was paired with and to no other.
@Suite struct TrustTests {
    @Test func aHostWithAnotherKeyIsMistrustedAndGetsNothing() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let before = try study.hostEvents().count
        // The device expects another key than the one that answers.
        let file = device.path + "/host.json"
        let json = try JSON(parsing: Array(contents(file).utf8))
        let pin = try #require(json["pin"]?.string)
        let other = String(pin.reversed())
        try Data(contents(file).replacingOccurrences(of: pin, with: other).utf8)
            .write(to: URL(fileURLWithPath: file))

        let running = try await device.start(try study.wav(.phrase()), "--mode", "hold")
        for round in 1...2 {
            _ = try await running.press()
            try await running.until("first_sample", count: round)
            try await running.untilRecorded(bytes: 2_000)
            try running.panel.send("release")
            try await running.until("kept \(round)") { device.recordings("out").count == round }
        }
        let status = try await running.status { $0["host_says"]?.string != nil }
        #expect(status["host_says"]?.string?.contains("pair") == true, "\(status)")
        #expect(try await running.end().status == 0)
        #expect(device.recordings("out").count == 2)
        #expect(try await study.utterances().isEmpty)
        #expect(try study.hostEvents().count == before)
    }

    @Test func aTokenPairsOneDeviceOnly() async throws {
        let study = try await Study.withHost()
        let url = try await study.pairingURL()
        #expect(try await study.device("first").pair(url).status == 0)
        let second = try await study.device("second").pair(url)
        #expect(second.status == 1)
        #expect(second.sentences.count == 1, "\(second.errors)")
        #expect(try await study.host("devices", "--json").json().first?.elements?.count == 1)
    }

    @Test func aDeviceThatTheHostRemovedKeepsItsRecordings() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let devices = try await study.host("devices", "--json").json().first?.elements
        let pin = try #require(devices?.first?["pin"]?.string)
        #expect(try await study.host("devices", "remove", pin).status == 0)
        let running = try await device.start(try study.wav(.phrase()), "--mode", "hold")
        _ = try await running.press()
        try await running.untilRecorded(bytes: 2_000)
        try running.panel.send("release")
        try await running.until("it is kept") { device.recordings("out").count == 1 }
        let status = try await running.status { $0["host_says"]?.string != nil }
        #expect(status["host_says"]?.string != nil)
        try await running.end()
        #expect(device.recordings("out").count == 1)
        #expect(try await study.utterances().isEmpty)
    }

    @Test func aRunningDeviceShipsWhatItHadAsSoonAsItIsPaired() async throws {
        let study = try await Study.withHost()
        let device = study.device()
        let running = try await device.start(try study.wav(.phrase()), "--mode", "hold")
        _ = try await running.press()
        try await running.untilRecorded(bytes: 2_000)
        try running.panel.send("release")
        try await running.until("it is kept") { device.recordings("out").count == 1 }
        #expect(try await device.pair(try await study.pairingURL()).status == 0)
        try await study.untilStored(1)
        try await running.untilItSays("let go")
        #expect(try await study.utterances().count == 1)
        try await running.end()
    }
}
