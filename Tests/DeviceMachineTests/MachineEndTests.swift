import Hardware
import Testing
import Turn

@testable import DeviceMachine

/// The end of the program, the end that is asked for, and turns that overlap.
@Suite struct MachineEndTests {
    private let bench = DeviceBench()

    private func shutDown(at time: Duration) {
        bench.happens(.endAsked(.shutdown, at: time), at: time)
    }

    /// `end` is the last action, and nothing is left when it comes.
    private func expectItEndsSettled(_ kept: [String]) {
        #expect(bench.story.last == "end")
        #expect(bench.story("file kept", "file gone") == kept)
        #expect(bench.machine.takes.isEmpty)
        #expect(bench.machine.card.recordSwitch.real == .closed && !bench.machine.card.recordSwitch.busy)
        #expect(bench.story("journal opening").count == bench.story("journal closed").count)
    }

    @Test func anIdleDeviceEndsAtOnce() {
        shutDown(at: .seconds(1))
        bench.live(until: .seconds(1))
        #expect(bench.story == ["end"])
    }

    @Test(arguments: [1, 59, 61, 81, 99])
    func aTurnThatStartsEndsWithTheCardClosed(milliseconds: Int) {
        bench.thumb("#")
        shutDown(at: .milliseconds(milliseconds))
        bench.live(until: .milliseconds(milliseconds))
        #expect(bench.story("end") == [])
        bench.live(until: .seconds(2))
        expectItEndsSettled([])
        #expect(bench.story("journal closed") == ["journal closed u1: shutdown"])
    }

    @Test func aTurnThatListensIsKeptBeforeTheEnd() throws {
        bench.thumb("#")
        bench.sound("........############")
        shutDown(at: .milliseconds(1500))
        bench.live(until: .milliseconds(1569))
        #expect(bench.story("end") == [])
        bench.live(until: .seconds(4))
        expectItEndsSettled(["file kept u1"])
        // 30 ms the card, 20 ms finishing, 20 ms keeping.
        #expect(bench.time(of: "end") == .milliseconds(1570))
    }

    @Test func aTurnWithoutAWordIsNotKeptAtTheEnd() {
        bench.thumb("#")
        shutDown(at: .milliseconds(1500))
        bench.live(until: .seconds(4))
        expectItEndsSettled(["file gone u1"])
    }

    @Test(arguments: [2015, 2035, 2055, 2300])
    func aFileThatWaitsForTheThumbIsKeptAtTheEnd(milliseconds: Int) {
        bench.thumb("#...................##############################")
        bench.sound("........########")
        shutDown(at: .milliseconds(milliseconds))
        bench.live(until: .milliseconds(max(milliseconds, 2080) + 41))
        expectItEndsSettled(["file kept u1"])
    }

    @Test func aThinkingTurnEndsAtOnceAndItsUtteranceStays() {
        let bench = DeviceBench { $0.repliesExpected = true }
        bench.thumb("#")
        bench.sound("........########")
        bench.happens(.endAsked(.shutdown, at: .seconds(6)), at: .seconds(6))
        bench.live(until: .seconds(6))
        #expect(bench.story.last == "end")
        #expect(bench.story("file kept") == ["file kept u1"])
    }

    @Test func aSpeakingTurnStopsItsReply() {
        let bench = DeviceBench { $0.repliesExpected = true }
        bench.thumb("#")
        bench.sound("........########")
        bench.happens(
            .host(.replyPlaying(UtteranceID("u1"), length: .seconds(9), at: .seconds(6))), at: .seconds(6))
        bench.happens(.endAsked(.shutdown, at: .seconds(7)), at: .seconds(7))
        bench.live(until: .seconds(7))
        #expect(bench.story.suffix(2) == ["stop reply", "end"])
    }

    @Test func aStoppedTurnEndsAtOnce() {
        bench.cardFails[.open] = .missing(device: "mic")
        bench.thumb("#")
        shutDown(at: .seconds(3))
        bench.live(until: .seconds(3))
        #expect(bench.story.last == "end")
    }

    @Test func nothingBeginsAfterTheEndWasAskedFor() {
        bench.recorderTakes = .seconds(1)
        bench.thumb("#")
        bench.sound("........############")
        shutDown(at: .milliseconds(1500))
        bench.thumb("#", from: .milliseconds(2000))
        bench.live(until: .seconds(6))
        #expect(bench.story("journal opening") == ["journal opening u1"])
        expectItEndsSettled(["file kept u1"])
    }

    @Test func aRequestedEndKeepsTheTurnAndTheDeviceGoesOn() {
        bench.thumb("#")
        bench.sound("........############")
        bench.happens(.endAsked(.request, at: .milliseconds(1500)), at: .milliseconds(1500))
        bench.live(until: .seconds(4))
        #expect(bench.story("file") == ["file begun u1", "file finished u1: request", "file kept u1"])
        bench.thumb("#", from: .seconds(4))
        bench.live(until: .seconds(5))
        #expect(bench.machine.turn.micOpen)
        #expect(bench.story("end") == [])
    }

    @Test func aRequestedEndOfAStartOpensNothing() {
        bench.thumb("#")
        bench.happens(.endAsked(.request, at: .milliseconds(50)), at: .milliseconds(50))
        bench.live(until: .seconds(4))
        #expect(bench.story("card read", "file") == [])
        #expect(bench.story("journal closed") == ["journal closed u1: request"])
    }

    @Test func aPressWhileTheCardStillClosesAndTheFileFinishesIsATurnOfItsOwn() {
        bench.cardTakes[.close] = .milliseconds(600)
        bench.recorderTakes = .milliseconds(900)
        bench.thumb("#..................#.....#")
        bench.sound("........########..............########")
        bench.live(until: .milliseconds(2505))
        // The card still closes: it is not asked for a second step.
        #expect(bench.story("card").last == "card close")
        #expect(bench.story("journal opening") == ["journal opening u1", "journal opening u2"])
        bench.live(until: .seconds(12))
        #expect(
            bench.story("file") == [
                "file begun u1", "file finished u1: button", "file begun u2", "file kept u1",
                "file finished u2: hangover", "file kept u2",
            ])
        #expect(
            bench.story("card") == [
                "card open", "card configure", "card start", "card read", "card close", "card open",
                "card configure", "card start", "card read", "card close",
            ])
        #expect(
            bench.story("journal closed") == ["journal closed u1: button", "journal closed u2: hangover"])
    }

    @Test func theCueOfTheOlderUtteranceIsNotFeltInTheNewerTurn() {
        bench.recorderTakes = .milliseconds(900)
        bench.thumb("#..................#.....#")
        bench.sound("........########")
        bench.live(until: .milliseconds(4500))
        #expect(bench.story("file kept") == ["file kept u1"])
        #expect(bench.pulses() == [30, 30])
        #expect(bench.light.last == "+2500")
    }

    @Test func aPressWhileTheStartIsUndoneOpensWithTheNewestToken() {
        bench.cardTakes[.open] = .milliseconds(1500)
        bench.thumb("#...#...#")
        bench.live(until: .seconds(4))
        // First opens, second stops, third opens again: the operation in flight serves it.
        #expect(bench.story("file begun") == ["file begun u2"])
        #expect(bench.story("card") == ["card open", "card configure", "card start", "card read"])
        #expect(bench.story("journal closed") == ["journal closed u1: abandoned"])
    }
}
