import Foundation
import Hardware
import TestSupport
import Testing

@testable import ALSAAudio

/// The microphone's contract on the kernel's own cards: snd-aloop, whose other end says nothing here, and snd-dummy.
@Suite(
    "A microphone that is a kernel's card", .serialized,
    .enabled(
        if: ProcessInfo.processInfo.environment["LAPEL_VIRTUAL_BOARD"] != nil
            && access("/proc/asound/Loopback", F_OK) == 0,
        "wants the kernel's simulated cards: board/sim test swift"))
struct VirtualBoardMicrophoneTests {
    typealias Fact = @Sendable (MicrophoneContract) -> [String]

    static let facts: [(String, Fact)] = [
        ("steps are answered in order", { $0.stepsAreAnsweredInOrder() }),
        ("nothing is heard before read", { $0.nothingIsHeardBeforeRead() }),
        ("close is legal in every state", { $0.closeIsLegalInEveryState() }),
        ("the sink is ahead of the readings", { $0.theSinkIsAheadOfTheReadings() }),
        ("it opens again", { $0.itOpensAgain() }),
        ("stamps never go back", { $0.stampsNeverGoBack() }),
    ]

    @Test(arguments: ["hw:Loopback,1", "hw:Dummy"], facts.indices)
    func itKeepsTheContract(device: String, fact: Int) {
        let settings = CaptureSettings(device: device, highpass: nil)
        let contract = MicrophoneContract(rate: settings.rate) {
            ALSAMicrophone(settings: settings, sink: $0, report: $1)
        }
        #expect(Self.facts[fact].1(contract) == [])
    }
}
