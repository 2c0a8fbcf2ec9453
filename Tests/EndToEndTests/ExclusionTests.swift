import Foundation
import Testing
import Wire

/// One device to an outbox, one host to a folder.
@Suite struct ExclusionTests {
    @Test func aSecondDeviceOnTheSameOutboxIsRefused() async throws {
        let study = try Study()
        let device = study.device()
        let microphone = try study.wav(.phrase())
        let first = try await device.start(microphone)
        let second = try await device.simulate(microphone, press: "0.1")
        #expect(second.status == 1)
        #expect(second.sentences.count == 1, "\(second.errors)")
        #expect(second.errors.contains(device.path))
        #expect(second.errors.contains("in use by another lapel"))
        // The first one goes on as if nothing had happened.
        #expect(try await first.status()["phase"] == "off")
        #expect(try await first.end().status == 0)
    }

    @Test func aSecondHostOnTheSameFolderIsRefused() async throws {
        let study = try await Study.withHost()
        let second = try await study.host("serve", "--listen", "127.0.0.1:0")
        #expect(second.status == 1)
        #expect(second.sentences.count == 1, "\(second.errors)")
        #expect(second.errors.contains("serves \(study.hostFolder) already"))
        #expect(try await study.utterances().isEmpty)
    }

    @Test func aKilledDeviceLocksNobodyOut() async throws {
        let study = try Study()
        let device = study.device()
        let microphone = try study.wav(.phrase())
        let first = try await device.start(microphone)
        try await first.end(SIGKILL)
        let second = try await device.simulate(microphone, press: "0.1+0.2", "--mode", "hold")
        #expect(second.status == 0, "\(second.errors)")
    }
}
