import Foundation
import Testing
import Wire

/// The local socket can read and end, never begin.
@Suite struct ControlTests {
    @Test func statusTellsThatTheMicrophoneIsOpenWhileItListens() async throws {
        let study = try Study()
        let running = try await study.device().start(
            try study.wav(.phrase()), "--mode", "memo", "--press", "0.2")
        try await running.until("first_sample")
        let status = try await running.status { $0["phase"] == "listening" }
        #expect(status["phase"] == "listening")
        #expect(status["microphone_open"]?.bool == true)
        try await running.end()
    }

    @Test func endEndsTheTurnAndKeepsWhatWasRecorded() async throws {
        let study = try Study()
        let device = study.device()
        let running = try await device.start(try study.wav(.phrase()), "--mode", "memo", "--press", "0.1")
        try await running.untilRecorded(bytes: 2_000)
        let ended = try await device.lapel("end")
        #expect(ended.status == 0, "\(ended.errors)")
        try await running.until("closed")
        #expect(device.ledger().last?["reason"] == "request")
        try await running.until("it is kept") { device.recordings("out").count == 1 }
        #expect(try await running.status()["microphone_open"]?.bool == false)
        try await running.end()
    }

    @Test func endWithoutATurnChangesNothing() async throws {
        let study = try Study()
        let device = study.device()
        let running = try await device.start(try study.wav(.phrase()))
        #expect(try await device.lapel("end").status == 0)
        #expect(try await running.status()["phase"] == "off")
        #expect(device.ledger().isEmpty)
        try await running.end()
    }

    @Test(arguments: ["begin", "press", "start", "record", "open", "run", "STATUS", "", "status end"])
    func noOtherWordIsUnderstoodAndNoneBegins(word: String) async throws {
        let study = try Study()
        let device = study.device()
        let running = try await device.start(try study.wav(.phrase()))
        let answer = try await ask(word, at: device.path + "/control")
        #expect(try JSON(parsing: Array(answer.utf8))["error"] == "unknown request")
        let status = try await running.status()
        #expect(status["phase"] == "off")
        #expect(status["microphone_open"]?.bool == false)
        #expect(device.ledger().isEmpty)
        try await running.end()
    }

    @Test(arguments: ["status", "end"])
    func withoutADeviceThereIsASentence(command: String) async throws {
        let study = try Study()
        let asked = try await study.device().lapel(command)
        #expect(asked.status == 1)
        #expect(asked.sentences.count == 1)
        #expect(asked.errors.contains("No lapel runs"))
    }

    /// Says one line to a local socket and returns the answer.
    private func ask(_ word: String, at path: String) async throws -> String {
        try await onOwnThread {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            defer { close(descriptor) }
            guard withSocketAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
                throw Broken("\(path): \(String(cString: strerror(errno)))")
            }
            let line = word + "\n"
            _ = write(descriptor, line, line.utf8.count)
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &bytes, bytes.count)
            return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
        }
    }
}
