import Foundation
import Testing
import Wire

/// Taking a pairing back, and pairing anew.
@Suite struct UnpairTests {
    /// One recording by a device that runs on.
    private func record(_ running: RunningDevice, _ device: Device, waiting: Int) async throws {
        let before = device.ledgerWords().filter { $0 == "first_sample" }.count
        _ = try await running.press()
        try await running.until("first_sample", count: before + 1)
        try await running.untilRecorded(bytes: 2_000)
        try running.panel.send("release")
        try await running.until("it is kept") { device.recordings("out").count == waiting }
    }

    @Test func whatWaitsStaysAndGoesToTheHostThatIsPairedAgain() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        try await study.endHost(SIGTERM)
        let running = try await device.start(try study.wav(.phrase()), "--mode", "hold")
        try await record(running, device, waiting: 1)
        let unpaired = try await device.lapel("unpair", "--json")
        #expect(unpaired.status == 0, "\(unpaired.errors)")
        #expect(try unpaired.json().first?["waiting"]?.int == 1)
        #expect(try await running.status { $0["paired_host"]?.string == nil }["paired_host"]?.string == nil)
        // Sealed to a key of its own, which the next pairing hands over.
        try await record(running, device, waiting: 2)
        _ = try await study.startHost()
        #expect(try await device.pair(try await study.pairingURL()).status == 0)
        try await study.untilStored(2)
        try await running.until("all is let go") { device.recordings("out").isEmpty }
        try await running.end()
    }

    @Test func aDeviceThatIsNotPairedSaysSo() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        #expect(try await device.lapel("unpair").status == 0)
        let again = try await device.lapel("unpair")
        #expect(again.status == 1)
        #expect(again.sentences == ["lapel: This device is not paired."], "\(again.errors)")
    }

    @Test func aPairedHostGoesBeforeAForeignServer() async throws {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        // Nobody listens there.
        let run = try await device.simulate(
            try study.wav(.phrase()), press: "0.3+1.5", "--mode", "hold", "--foreign",
            "http://127.0.0.1:9/files")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("The setting `foreign` (http://127.0.0.1:9/files) is not used"))
        try await study.untilStored(1)
        #expect(device.recordings("out").isEmpty && device.recordings("sent").isEmpty)
    }
}
