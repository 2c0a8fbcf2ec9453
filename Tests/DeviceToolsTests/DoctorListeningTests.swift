import Hardware
import Simulator
import Synchronization
import TestSupport
import Testing
import Threads

@testable import Device
@testable import DeviceSettings
@testable import DeviceTools

/// The one second with the microphone open.
@Suite struct DoctorListeningTests {
    private let folder = TemporaryFolder()

    /// A microphone in whose world a second passes as soon as it is read.
    private final class Quick: Microphone {
        private let inner: SimulatedMicrophone

        init(_ inner: SimulatedMicrophone) { self.inner = inner }

        func perform(_ step: MicrophoneStep) {
            inner.perform(step)
            if step == .read { inner.advance(by: .seconds(2)) }
        }
    }

    private func listen(
        _ samples: [Int16], script: [SimulatedMicrophone.Misfortune?] = [],
        patience: Duration = Listening.patience
    ) throws -> Result<MicrophoneFacts.Heard, Obstacle> {
        let ledger = try Ledger(folder: folder.path)
        let listening = Listening(ledger: ledger, interruption: Interruption(), patience: patience)
        do throws(Obstacle) {
            return .success(
                try listening.run { report in
                    Quick(
                        SimulatedMicrophone(
                            samples: samples, script: script, sink: MicrophoneLog(), report: report))
                })
        } catch {
            return .failure(error)
        }
    }

    private func records() throws -> [String] {
        try Ledger.records(in: folder.path).compactMap { record in
            record["record"]?.string.map { "\($0) \(record["press"]?.string ?? "")" }
        }
    }

    /// A square wave, 800 Hz.
    private let tone = (0..<48_000).map { Int16($0 % 20 < 10 ? 1000 : -1000) }

    @Test func aSecondIsMeasuredAndStandsInTheJournal() throws {
        let heard = try listen(tone).get()
        #expect(heard.levels.count == 10)
        #expect(abs(heard.level + 27.3) < 1)  // 1000 of 32768, as AES17 reads a square wave
        #expect(try records() == ["opening doctor", "first_sample doctor", "closed doctor"])
    }

    @Test func aMicrophoneThatIsNotThereIsRefusedWithItsMending() throws {
        let answer = try listen(tone, script: [.fails(.open, .missing(device: "card"))])
        #expect(answer == .failure(Obstacle(.missing(device: "card"))))
        #expect(try records() == ["opening doctor", "closed doctor"])
    }

    @Test func oneThatIsUnpluggedMeanwhileIsSaidToBe() throws {
        let answer = try listen(tone, script: [.unplugged(afterFrames: 4000)])
        guard case .failure(let refusal) = answer else {
            Issue.record("it was heard")
            return
        }
        #expect(refusal.text.contains("unplugged"))
    }

    @Test func oneThatNeverAnswersDoesNotHangTheCommand() throws {
        let answer = try listen(tone, script: [.hangs(.configure)], patience: .milliseconds(20))
        guard case .failure(let refusal) = answer else {
            Issue.record("it was heard")
            return
        }
        #expect(refusal.text.contains("did not answer"))
    }
}
