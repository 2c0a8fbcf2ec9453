import EndOfSpeech
import Testing

@testable import Device
@testable import DeviceSettings
@testable import DeviceTools

@Suite struct MeterViewTests {
    private let view = MeterView(width: 60, isColoured: false)

    private func fed(_ rule: EndOfSpeech, _ count: Int, _ dbfs: Double, _ probability: UInt8) -> (
        EndOfSpeech, Observation
    ) {
        var rule = rule
        let frames = SpeechFrames(
            (probability, probability, probability, probability, probability), floor: -60)
        var last = Observation(dbfs: dbfs, seconds: 0, frames: frames)
        for k in 1...count {
            last.seconds = Double(k) / 10
            _ = rule.feed(last)
        }
        return (rule, last)
    }

    @Test func speechFillsBothBars() {
        let (rule, last) = fed(EndOfSpeech(rule: .lapel), 10, -20, 255)
        let lines = view.lines(rule, last)
        #expect(lines.count == 4)
        #expect(lines[0].hasPrefix("level        ██████") && lines[0].hasSuffix("−20.0 dBFS"))
        #expect(lines[0].contains("╎"))  // the floor shines through
        #expect(lines[1].contains("╎") && lines[1].contains("┃") && lines[1].hasSuffix("100 %"))
        #expect(lines[3].hasPrefix("● speech · 1.0 s of speech · enough to send"))
    }

    @Test func quietRunsTowardsTheEnd() {
        var (rule, last) = fed(EndOfSpeech(parameters: .init(lag: 0)), 10, -20, 255)
        for k in 11...20 {
            last = Observation(
                dbfs: -60, seconds: Double(k) / 10, frames: SpeechFrames((0, 0, 0, 0, 0), floor: -60))
            _ = rule.feed(last)
        }
        let lines = view.lines(rule, last)
        #expect(lines[2].hasPrefix("end in       ████") && lines[2].hasSuffix("2.0 s"))
        #expect(lines[3].hasPrefix("○ quiet"))
    }

    @Test func theReferenceRuleShowsItsThreshold() {
        let (rule, last) = fed(EndOfSpeech(), 7, -62, 0)
        let lines = view.lines(rule, last)
        #expect(lines[0].contains("╎") && lines[0].contains("┃"))
        #expect(lines[1].contains("floor −62.0, speech above −45.0"))
    }

    @Test func beforeTheFloorIsKnownItSaysSo() {
        let (rule, last) = fed(EndOfSpeech(), 2, -62, 0)
        #expect(view.lines(rule, last)[1].contains("the room is being measured"))
        #expect(view.lines(rule, last)[3].hasPrefix("○ measures the room"))
    }

    @Test(arguments: [1, 20, 40, 80, 400])
    func noWidthBreaksIt(width: Int) {
        let (rule, last) = fed(EndOfSpeech(rule: .lapel), 3, 10, 128)
        let lines = MeterView(width: width, isColoured: false).lines(rule, last)
        #expect(lines.count == 4 && lines.allSatisfy { $0.count <= 140 })
    }

    @Test func aLineForAFileHasEveryFigure() {
        let (rule, last) = fed(EndOfSpeech(rule: .lapel), 10, -20, 255)
        #expect(MeterScreen.plain(rule, last).split(separator: "\t").count == 7)
    }
}
