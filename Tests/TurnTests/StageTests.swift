import Testing
import Turn

@Suite("The stage of a turn")
struct StageTests {
    @Test func theMicrophoneIsWantedWhereATurnRecordsAndNowhereElse() {
        let asked = Gesture.Stage.allCases.map { ($0, $0.microphone) }
        for (stage, microphone) in asked {
            switch stage {
            case .starting: #expect(microphone == .starting)
            case .listening: #expect(microphone == .listening)
            case .off, .stopped, .thinking, .speaking: #expect(microphone == .unwanted)
            }
        }
    }
}
