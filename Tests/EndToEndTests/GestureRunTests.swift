import Testing
import Wire

/// What the thumb does, from the button to the host.
@Suite struct GestureRunTests {
    /// Runs one simulation with a phrase in the microphone; returns its report and what the host has.
    private func run(
        press: String, _ first: String, _ second: String, sound: Sound? = nil
    ) async throws -> (turns: [JSON], utterances: [JSON], device: Device) {
        let study = try await Study.withHost()
        let device = try await study.pairedDevice()
        let microphone = try study.wav(try sound ?? .phrase())
        let finished = try await device.simulate(microphone, press: press, first, second)
        #expect(finished.status == 0, "\(finished.errors)")
        return (try finished.json(), try await study.utterances(), device)
    }

    /// As long as the thumb said. A busy machine is late to close the microphone, never early.
    private func lasts(_ seconds: Double, _ asked: Double) -> Bool {
        (asked - 0.2...asked + 1).contains(seconds)
    }

    @Test func aSecondPressEndsTheUtterance() async throws {
        let (turns, utterances, _) = try await run(press: "0.1,1.9", "--mode", "press")
        #expect(turns.map { $0["end_reason"] } == ["button"])
        #expect(utterances.map { $0["end_reason"] } == ["button"])
        let seconds = utterances.first?["seconds"]?.double ?? 0
        #expect(lasts(seconds, 1.8))
    }

    @Test func twoPressesAreTwoUtterancesInTheirOrder() async throws {
        let (turns, utterances, device) = try await run(press: "0.1,1.9,2.9,4.7", "--mode", "press")
        #expect(turns.count == 2)
        #expect(utterances.map { $0["utterance"] } == turns.map { $0["utterance"] })
        #expect(utterances.map { $0["state"] } == ["stored", "stored"])
        let numbers = utterances.compactMap { $0["seq"]?.int }
        #expect(numbers.count == 2 && numbers[0] < numbers[1])
        #expect(
            device.ledgerWords() == [
                "opening", "first_sample", "closed", "opening", "first_sample", "closed",
            ])
    }

    @Test func aPressThatIsHeldBecomesPushToTalkAndItsReleaseEndsIt() async throws {
        let (turns, utterances, _) = try await run(press: "0.1+3", "--mode", "press")
        #expect(turns.map { $0["end_reason"] } == ["release"])
        let seconds = utterances.first?["seconds"]?.double ?? 0
        #expect(lasts(seconds, 3))
    }

    @Test func inModeHoldTheReleaseEnds() async throws {
        let (turns, utterances, _) = try await run(press: "0.1+1.2", "--mode", "hold")
        #expect(turns.map { $0["end_reason"] } == ["release"])
        let seconds = utterances.first?["seconds"]?.double ?? 0
        #expect(lasts(seconds, 1.2))
    }

    @Test func inModeHoldATouchIsNoRecording() async throws {
        let (turns, utterances, device) = try await run(press: "0.1+0.2", "--mode", "hold")
        #expect(turns.count == 1)
        #expect(utterances.isEmpty)
        #expect(device.files("rec").isEmpty)
    }

    @Test func inModeMemoAPressStartsAndAPressEndsWhateverIsSaid() async throws {
        let (turns, utterances, _) = try await run(
            press: "0.1,1.3", "--mode", "memo", sound: .silence(seconds: 1))
        #expect(turns.map { $0["end_reason"] } == ["button"])
        let seconds = utterances.first?["seconds"]?.double ?? 0
        #expect(lasts(seconds, 1.2))
    }

    @Test func inModePressALongPressWhileListeningDiscards() async throws {
        let (turns, utterances, device) = try await run(press: "0.1,1.9+1.7", "--mode", "press")
        #expect(turns.map { $0["discarded"] } == [true])
        #expect(utterances.isEmpty)
        #expect(device.files("rec").isEmpty)
        #expect(device.files("out").isEmpty)
    }

    @Test func aPressAfterWhichNothingIsSaidLeavesNothingButTheJournal() async throws {
        let (turns, utterances, device) = try await run(
            press: "0.1", "--no-speech-s", "1", sound: .silence(seconds: 1))
        #expect(turns.map { $0["end_reason"] } == ["nothing heard"])
        #expect(utterances.isEmpty)
        #expect(device.ledgerWords() == ["opening", "first_sample", "closed"])
        #expect(device.ledger().last?["reason"] == "nothing heard")
        #expect(device.files("rec").isEmpty)
        #expect(device.files("out").isEmpty)
    }
}
