import ALSAAudio
import Synchronization
import TestSupport
import Testing
import Threads

@testable import Device

/// What runs beside the loop when somebody asks.
@Suite struct ErrandTests {
    /// Words from the errand's thread, waited for.
    private final class Told: Sendable {
        private let words = Mutex<[String]>([])
        private let bell = WakeUp()

        func tell(_ word: String) {
            words.withLock { $0.append(word) }
            bell.ring()
        }

        var all: [String] { words.withLock { $0 } }

        /// False after 30 s.
        func wait(count: Int) -> Bool {
            let end = MonotonicClock.now + .seconds(30)
            while all.count < count {
                if MonotonicClock.now >= end { return false }
                bell.wait(until: end)
                bell.clear()
            }
            return true
        }
    }

    @Test func eachQuestionThatComesAloneIsAnsweredOnce() {
        let told = Told()
        let errand = Errand("test") { _ in told.tell("done") }
        for count in 1...3 {
            errand.ask()
            #expect(told.wait(count: count))
        }
        errand.shutDown()
        #expect(told.all.count == 3)
    }

    @Test func unaskedItDoesNothing() {
        let told = Told()
        let errand = Errand("test") { _ in told.tell("done") }
        errand.shutDown()
        #expect(told.all == [])
    }

    @Test func theEndCutsAPauseShort() {
        let told = Told()
        let errand = Errand("test") { errand in
            told.tell("begun")
            told.tell(errand.pause(.seconds(3600)) ? "waited" : "cut")
        }
        errand.ask()
        #expect(told.wait(count: 1))
        errand.shutDown()
        #expect(told.all == ["begun", "cut"])
    }

    @Test func aMicrophoneIsLookedForUntilItIsThereAndToldOnce() {
        let told = Told()
        let looks = Counter()
        let errand = MicrophoneWatch.errand(
            pauses: (.milliseconds(1), .milliseconds(2)),
            look: { looks.next() < 3 ? .undetermined(reason: "not there") : .granted },
            report: { told.tell("there") })
        errand.ask()
        errand.ask()
        #expect(told.wait(count: 1))
        errand.shutDown()
        #expect(told.all == ["there"])
        #expect(looks.next() == 4)
    }
}
