import Testing
import Turn

@testable import DeviceMachine

/// Modes `hold` and `memo`, and turns that wait for a reply.
@Suite struct MachineModeTests {
    private let hold = DeviceBench { $0.mode = .hold }
    private let memo = DeviceBench { $0.mode = .memo }

    @Test func inHoldTheReleaseEndsTheUtterance() {
        hold.thumb("##########")
        hold.sound("")
        hold.live(until: .seconds(3))
        #expect(hold.story("file") == ["file begun u1", "file finished u1: release", "file kept u1"])
        #expect(hold.facts.first?.ended == .milliseconds(1010))
    }

    @Test func inHoldAReleaseBeforeThreeTenthsDiscards() {
        hold.thumb("##")
        hold.live(until: .seconds(3))
        #expect(hold.story("file kept", "file gone") == ["file gone u1"])
        #expect(hold.pulses() == [30, 30, 30, 30])
    }

    @Test func inHoldTheEndOfSpeechDoesNotEndIt() {
        hold.thumb(String(repeating: "#", count: 200))
        hold.sound("........####")
        hold.live(until: .seconds(15))
        #expect(hold.story("file") == ["file begun u1"])
        #expect(hold.machine.turn.micOpen)
    }

    @Test func inHoldAReleaseBeforeTheMicrophoneIsUpOpensNothing() {
        hold.cardTakes[.open] = .milliseconds(500)
        hold.thumb("#")
        hold.live(until: .seconds(3))
        #expect(hold.story("file", "card read", "journal first") == [])
        #expect(hold.story("journal closed").count == 1)
        #expect(hold.machine.card.recordSwitch.real == .closed)
    }

    @Test func aMemoBeginsAndEndsByAPressHoweverLongItIsHeld() {
        memo.thumb("####################.....####################.")
        memo.live(until: .seconds(8))
        #expect(memo.story("file") == ["file begun u1", "file finished u1: button", "file kept u1"])
        #expect(memo.facts.first?.ended == .milliseconds(2510))
    }

    @Test func aMemoIsKeptWithoutAWordHoweverLong() {
        memo.thumb("#")
        memo.thumb("#", from: .seconds(1800))
        memo.live(until: .seconds(1801))
        #expect(memo.story("file") == ["file begun u1", "file finished u1: button", "file kept u1"])
        #expect(memo.facts.first?.readings.count == 17_999)
    }

    @Test func aMemoEndsAtItsOwnLongest() {
        let memo = DeviceBench {
            $0.mode = .memo
            $0.limits.memoLongest = .seconds(60)
        }
        memo.thumb("#")
        memo.live(until: .seconds(62))
        #expect(memo.story("file finished") == ["file finished u1: longest"])
    }

    private static func talkative(_ press: Gesture.PressWhileThinking = .nothing) -> DeviceBench {
        let bench = DeviceBench {
            $0.repliesExpected = true
            $0.pressWhileThinking = press
        }
        bench.thumb("#")
        bench.sound("........########")
        bench.live(until: .seconds(5))
        return bench
    }

    @Test func whereAReplyIsExpectedTheTurnThinks() {
        let bench = Self.talkative()
        #expect(bench.machine.turn.phase == .thinking(UtteranceID("u1")))
        #expect(bench.pulses(from: .seconds(1)) == [40, 40])
        #expect(bench.story("file kept") == ["file kept u1"])
    }

    @Test func anUtteranceThatIsNotStoredInTimeIsWaitedForNoLonger() {
        let bench = Self.talkative()
        bench.live(until: .milliseconds(9599))
        #expect(bench.machine.turn.phase == .thinking(UtteranceID("u1")))
        bench.live(until: .seconds(10))
        #expect(bench.machine.turn.phase == .off)
        #expect(bench.story("error") == [])
    }

    @Test func aStoredUtteranceWithoutASignOfLifeStopsTheTurn() {
        let bench = Self.talkative()
        bench.happens(.host(.stored(UtteranceID("u1"), at: .seconds(6))), at: .seconds(6))
        bench.live(until: .milliseconds(65_999))
        #expect(bench.machine.turn.phase == .thinking(UtteranceID("u1")))
        bench.live(until: .seconds(67))
        #expect(bench.machine.turn.phase == .stopped("no reply"))
    }

    @Test func aReplyPlaysAndItsEndEndsTheTurn() {
        let bench = Self.talkative()
        bench.happens(
            .host(.replyPlaying(UtteranceID("u1"), length: .seconds(3), at: .seconds(6))), at: .seconds(6))
        bench.live(until: .seconds(7))
        #expect(bench.machine.turn.phase == .speaking(UtteranceID("u1")))
        bench.happens(.host(.replyOver(UtteranceID("u0"), at: .seconds(8))), at: .seconds(8))
        bench.live(until: .seconds(8))
        #expect(bench.machine.turn.phase == .speaking(UtteranceID("u1")))
        bench.happens(.host(.replyOver(UtteranceID("u1"), at: .seconds(9))), at: .seconds(9))
        bench.live(until: .seconds(9))
        #expect(bench.machine.turn.phase == .off)
    }

    @Test func aPressStopsTheReplyAndBeginsNothing() {
        let bench = Self.talkative()
        bench.happens(
            .host(.replyPlaying(UtteranceID("u1"), length: .seconds(30), at: .seconds(6))), at: .seconds(6))
        bench.thumb("#", from: .seconds(7))
        bench.live(until: .seconds(8))
        #expect(bench.story("stop reply") == ["stop reply"])
        #expect(bench.story("journal opening") == ["journal opening u1"])
        #expect(bench.machine.turn.phase == .off)
    }

    @Test func aReplyThatDoesNotEndIsStopped() {
        let bench = Self.talkative()
        bench.happens(
            .host(.replyPlaying(UtteranceID("u1"), length: .seconds(3), at: .seconds(6))), at: .seconds(6))
        bench.live(until: .milliseconds(19_001))
        #expect(bench.story("stop reply") == ["stop reply"])
        #expect(bench.machine.stage == .stopped)
    }

    @Test func aPressWhileThinkingCanBeginANewTurn() {
        let bench = Self.talkative(.new)
        bench.thumb("#", from: .seconds(6))
        bench.live(until: .seconds(7))
        #expect(bench.story("journal opening") == ["journal opening u1", "journal opening u2"])
        #expect(bench.machine.turn.micOpen)
        #expect(bench.story("file kept") == ["file kept u1"])
    }

    @Test func aLongPressWhileThinkingCancelsTheWaitAndTheUtteranceStillShips() {
        let bench = Self.talkative()
        bench.thumb("################", from: .seconds(6))
        bench.live(until: .milliseconds(7600))
        #expect(bench.machine.turn.phase == .off)
        #expect(bench.story("file kept", "file gone") == ["file kept u1"])
    }
}
