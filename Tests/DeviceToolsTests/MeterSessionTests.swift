import EndOfSpeech
import Hardware
import Simulator
import Synchronization
import TestSupport
import Testing

@testable import Device
@testable import DeviceSettings
@testable import DeviceTools

@Suite struct MeterSessionTests {
    private let folder = TemporaryFolder()

    /// A session by the reference rule at a simulated microphone: half a second of room, a second of speech, silence.
    private final class Bench {
        var session: MeterSession
        let microphone: SimulatedMicrophone
        private let events: Events
        let shown: Shown

        final class Events: Sendable {
            let waiting = Mutex<[MicrophoneEvent]>([])
        }

        final class Shown {
            var judgements: [EndOfSpeech.Judgement?] = []
        }

        init(_ folder: String, once: Bool = false, script: [SimulatedMicrophone.Misfortune?] = []) throws {
            let samples = (0..<24_000).map { index -> Int16 in
                let height: Int16 = index < 8000 ? 20 : 3000
                return index % 20 < 10 ? height : -height
            }
            let (events, shown) = (Events(), Shown())
            (self.events, self.shown) = (events, shown)
            microphone = SimulatedMicrophone(samples: samples, script: script, sink: MicrophoneLog()) {
                event in
                events.waiting.withLock { $0.append(event) }
            }
            session = MeterSession(rule: EndOfSpeech(), ledger: try Ledger(folder: folder), once: once) {
                rule, _ in shown.judgements.append(rule.lastJudgement)
            }
            session.begin(microphone)
        }

        /// Hands over what was reported, and what that leads to.
        func settle() {
            while true {
                let arrived = events.waiting.withLock { waiting in
                    defer { waiting = [] }
                    return waiting
                }
                if arrived.isEmpty { return }
                for event in arrived { session.handle(.microphone(event), microphone) }
            }
        }
    }

    private func records() throws -> [String] {
        try Ledger.records(in: folder.path).compactMap { $0["record"]?.string }
    }

    @Test func everyReadingIsShownUntilSomebodyEndsIt() throws {
        let bench = try Bench(folder.path)
        bench.settle()
        bench.microphone.advance(by: .seconds(6))
        bench.settle()
        #expect(bench.shown.judgements.count == 60 && !bench.session.isOver)
        #expect(bench.shown.judgements[0] == .calibrating && bench.shown.judgements[9] == .speech)
        bench.session.handle(.endAsked(.request, at: .seconds(6)), bench.microphone)
        bench.settle()
        #expect(bench.session.isOver && bench.session.failure == nil && !bench.microphone.record.isOpen)
        #expect(try records() == ["opening", "first_sample", "closed"])
    }

    @Test func onceEndsWithTheFirstEnd() throws {
        let bench = try Bench(folder.path, once: true)
        bench.settle()
        bench.microphone.advance(by: .seconds(10))
        bench.settle()
        #expect(bench.session.isOver && bench.shown.judgements.count == 45)  // 1.5 s and 3 s of quiet
    }

    @Test func aWishToEndWhileItOpensIsServedAfterTheStep() throws {
        let bench = try Bench(folder.path, script: [.hangs(.configure)])
        bench.settle()
        bench.session.handle(.endAsked(.shutdown, at: .zero), bench.microphone)
        #expect(!bench.session.isOver)
        bench.microphone.letGo()
        bench.settle()
        #expect(bench.session.isOver && bench.microphone.record.outOfOrder == [])
        #expect(bench.microphone.record.steps == [.open, .configure, .close])
    }

    @Test func aMicrophoneThatIsNotThereIsASentence() throws {
        let bench = try Bench(folder.path, script: [.fails(.open, .missing(device: "card"))])
        bench.settle()
        #expect(bench.session.isOver)
        #expect(bench.session.failure?.description.contains("no microphone named card") == true)
        #expect(try records() == ["opening", "closed"])
    }

    @Test func aMicrophoneWithoutASignalIsWatchedOn() throws {
        let bench = try Bench(folder.path, script: [.noSignal(afterFrames: 4000)])
        bench.settle()
        bench.microphone.advance(by: .seconds(2))
        bench.settle()
        #expect(!bench.session.isOver && bench.shown.judgements.count == 20)
    }

    @Test func oneThatIsPulledOutClosesAndSaysSo() throws {
        let bench = try Bench(folder.path, script: [.unplugged(afterFrames: 4000)])
        bench.settle()
        bench.microphone.advance(by: .seconds(1))
        bench.settle()
        #expect(bench.session.isOver && bench.session.failure?.description.contains("unplugged") == true)
        #expect(bench.microphone.record.steps.last == .close)
    }
}
