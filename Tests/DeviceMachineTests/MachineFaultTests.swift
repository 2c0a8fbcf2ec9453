import Hardware
import Testing
import Turn

@testable import DeviceMachine

/// What the board, the card and the button's line do to a turn.
@Suite struct MachineFaultTests {
    private let bench = DeviceBench()
    private let fault = [400]

    /// A press at 0 and speech from 0.8 s to 2 s; lives until `end`.
    private func speak(until end: Duration) {
        bench.thumb("#")
        bench.sound("........############")
        bench.live(until: end)
    }

    @Test func aMicrophoneUnpluggedInMidWordKeepsWhatWasSaidAndSaysSo() {
        speak(until: .milliseconds(1950))
        let fault = MicrophoneFault.unplugged(device: "mic")
        bench.happens(.microphone(.fault(fault, at: .milliseconds(1960))), at: .milliseconds(1960))
        bench.live(until: .seconds(5))
        #expect(bench.story("file") == ["file begun u1", "file finished u1: unplugged", "file kept u1"])
        #expect(bench.story("journal closed") == ["journal closed u1: unplugged"])
        #expect(bench.machine.turn.phase == .stopped(fault.description))
        #expect(bench.pulses(from: .seconds(1)) == self.fault)
        #expect(bench.light.filter { $0.hasPrefix("+") }.count == 1 + Fault.unplugged.code)
        #expect(bench.story("await microphone").count == 1)
    }

    @Test func whenItIsThereAgainOneLineSaysSo() {
        bench.happens(.microphoneReady("The microphone is there.", at: .seconds(1)), at: .seconds(1))
        bench.live(until: .seconds(2))
        #expect(bench.story == ["notice: The microphone is there."])
    }

    @Test func aMicrophoneUnpluggedBeforeAWordLeavesNothing() {
        bench.thumb("#")
        bench.live(until: .seconds(1))
        bench.happens(.microphone(.fault(.unplugged(device: "mic"), at: bench.now)), at: bench.now)
        bench.live(until: .seconds(3))
        #expect(bench.story("file kept", "file gone") == ["file gone u1"])
    }

    @Test func noSignalIsLoggedAndDoesNotEndTheTurn() {
        bench.thumb("#")
        bench.live(until: .seconds(1))
        bench.happens(.microphone(.fault(.noSignal(device: "mic"), at: bench.now)), at: bench.now)
        bench.live(until: .seconds(2))
        #expect(bench.machine.turn.micOpen)
        #expect(bench.story("error").count == 1)
    }

    @Test(arguments: [MicrophoneStep.open, .configure, .start])
    func aMicrophoneThatIsNotThereIsNotReady(step: MicrophoneStep) {
        bench.cardFails[step] = .missing(device: "mic")
        bench.thumb("#")
        bench.live(until: .seconds(5))
        #expect(bench.story("file", "card read") == [])
        #expect(bench.story("journal closed") == ["journal closed u1: failed"])
        #expect(bench.pulses(from: .milliseconds(31)) == fault)
        #expect(bench.machine.stage == .stopped)
        // One blink: the fault code of the microphone.
        #expect(bench.light.filter { $0.hasPrefix("+") }.count == 2)
    }

    @Test func aStartThatTakesTwoSecondsIsGivenUp() {
        bench.cardTakes[.open] = .seconds(3)
        bench.thumb("#")
        bench.live(until: .milliseconds(1999))
        #expect(bench.machine.turn.starting)
        bench.live(until: .milliseconds(2000))
        #expect(bench.machine.turn.phase == .stopped("the microphone did not start"))
        bench.live(until: .seconds(6))
        #expect(bench.story("card") == ["card open", "card close"])
        #expect(bench.story("journal closed") == ["journal closed u1: failed"])
    }

    @Test(arguments: [MicrophoneStep.open, .configure, .start, .close])
    func aCardThatNeverAnswersStopsTheWatchdog(step: MicrophoneStep) {
        bench.cardTakes[step] = .some(nil)
        bench.thumb("#")
        bench.live(until: .seconds(9))
        #expect(!bench.machine.cardHangs(at: .seconds(9)))
        bench.live(until: .seconds(25))
        #expect(bench.machine.cardHangs(at: .seconds(25)))
    }

    @Test func anOpenMicrophoneIsNoHangingCard() {
        let memo = DeviceBench { $0.mode = .memo }
        memo.thumb("#")
        memo.live(until: .seconds(600))
        #expect(!memo.machine.cardHangs(at: .seconds(600)))
    }

    @Test func aFullCardEndsTheTurnAndKeepsWhatIsThere() {
        speak(until: .seconds(2))
        bench.happens(.recorder(.full(UtteranceID("u1"), at: bench.now)), at: bench.now)
        bench.live(until: .seconds(5))
        #expect(bench.story("file") == ["file begun u1", "file finished u1: full", "file kept u1"])
        #expect(bench.pulses(from: .seconds(1)) == fault)
        #expect(bench.machine.turn.phase == .stopped("The outbox is full."))
    }

    @Test func aRecorderThatFailsEndsTheTurnWithOneClosedRecord() {
        speak(until: .seconds(2))
        bench.happens(
            .recorder(.failed(UtteranceID("u1"), reason: "the card burns", at: bench.now)), at: bench.now)
        bench.live(until: .seconds(5))
        #expect(bench.story("file finished", "file kept", "file gone") == [])
        #expect(bench.story("journal closed") == ["journal closed u1: failed"])
        #expect(bench.story("card close") == ["card close"])
        #expect(bench.machine.takes.isEmpty)
        #expect(bench.machine.turn.phase == .stopped("the card burns"))
    }

    @Test func aRecorderThatFailsWhileTheCardClosesLeavesOneClosedRecord() {
        bench.cardTakes[.close] = .milliseconds(500)
        speak(until: .milliseconds(5100))
        #expect(bench.story("card close") == ["card close"])
        bench.happens(
            .recorder(.failed(UtteranceID("u1"), reason: "the card burns", at: bench.now)), at: bench.now)
        bench.live(until: .seconds(8))
        #expect(bench.story("journal closed") == ["journal closed u1: failed"])
        #expect(bench.machine.takes.isEmpty)
    }

    @Test func aLateFailureDoesNotDarkenTheLampOfANewerTurn() {
        bench.recorderTakes = .seconds(9)
        speak(until: .seconds(6))
        bench.thumb("#", from: .seconds(6))
        bench.live(until: .seconds(7))
        #expect(bench.machine.turn.micOpen)
        bench.happens(
            .recorder(.failed(UtteranceID("u1"), reason: "the card burns", at: bench.now)), at: bench.now)
        bench.live(until: .seconds(8))
        #expect(bench.light.last == "+6000")
        #expect(bench.story("error") == ["error: the card burns"])
    }

    @Test func aFullOutboxRefusesThePressAndOpensNothing() {
        bench.happens(.recorder(.room(refusal: "no room")), at: .zero)
        bench.thumb("#", from: .seconds(1))
        bench.live(until: .seconds(4))
        #expect(bench.story == ["error: no room", "wake shipper", "check room"])
        #expect(bench.pulses() == fault)
        #expect(bench.light.filter { $0.hasPrefix("+") }.count == 2)
        #expect(bench.machine.turn.phase == .off)
    }

    @Test func roomThatIsThereAgainIsUsed() {
        bench.happens(.recorder(.room(refusal: "no room")), at: .zero)
        bench.happens(.host(.letGo(UtteranceID("u0"), at: .seconds(1))), at: .seconds(1))
        bench.happens(.recorder(.room(refusal: nil)), at: .seconds(1))
        bench.thumb("#", from: .seconds(2))
        bench.live(until: .seconds(2))
        #expect(bench.story("check room", "journal") == ["check room", "journal opening u1"])
    }

    @Test func aButtonThatIsLostEndsTheTurnAndKeepsIt() {
        speak(until: .seconds(2))
        bench.happens(.button(.lost("the chip is gone")), at: .seconds(2))
        bench.live(until: .seconds(5))
        #expect(bench.story("file") == ["file begun u1", "file finished u1: button fault", "file kept u1"])
        #expect(bench.machine.turn.phase == .stopped("the chip is gone"))
    }

    @Test func aButtonThatIsLostWhileItsPressHoldsAFileBackKeepsTheFile() {
        bench.thumb("#...................##########################")
        bench.sound("........########")
        bench.happens(.button(.lost("the chip is gone")), at: .milliseconds(2500))
        bench.live(until: .seconds(6))
        #expect(bench.story("file") == ["file begun u1", "file finished u1: button", "file kept u1"])
    }

    @Test func aButtonThatComesBackHeldIsNotPressed() {
        bench.happens(.button(.lost("the chip is gone")), at: .seconds(1))
        bench.happens(.button(.returned(down: true, at: .seconds(2))), at: .seconds(2))
        bench.edge(down: false, at: .seconds(3))
        bench.edge(down: true, at: .seconds(4))
        bench.live(until: .milliseconds(3999))
        #expect(bench.story("journal") == [])
        bench.live(until: .seconds(4))
        #expect(bench.story("journal") == ["journal opening u1"])
    }

    @Test func glitchesAreCountedAcrossTheLossOfTheLine() {
        for second in [1, 5] {
            bench.edge(down: true, at: .seconds(second))
            bench.edge(down: false, at: .seconds(second) + .milliseconds(2))
        }
        bench.happens(.button(.lost("the chip is gone")), at: .seconds(2))
        bench.happens(.button(.returned(down: false, at: .seconds(3))), at: .seconds(3))
        bench.live(until: .seconds(6))
        #expect(bench.machine.glitches == 2)
    }

    @Test func aLineThatFloodsEndsTheTurnAndKeepsIt() {
        speak(until: .seconds(2))
        for period in 0..<700 {
            let at = Duration.seconds(2) + .milliseconds(4) * period
            bench.edge(down: true, at: at)
            bench.edge(down: false, at: at + .milliseconds(1))
        }
        bench.live(until: .milliseconds(4900))
        #expect(bench.story("file") == ["file begun u1", "file finished u1: button fault", "file kept u1"])
        #expect(bench.story("error").contains { $0.contains("changes") })
        #expect(bench.story("journal closed") == ["journal closed u1: button fault"])
    }

    @Test(arguments: [2, 8])
    func aLineThatHumsIsNoThumbThatDiscards(halfPeriod: Int) {
        speak(until: .seconds(2))
        for edge in 0..<(3000 / halfPeriod) {
            let at = Duration.seconds(2) + .milliseconds(halfPeriod) * edge
            bench.edge(down: edge.isMultiple(of: 2), at: at)
        }
        bench.live(until: .seconds(9))
        #expect(bench.story("file kept", "file gone") == ["file kept u1"])
    }

    @Test func aBouncingContactThatIsHeldStillDiscards() {
        speak(until: .seconds(2))
        for edge in 0..<21 {
            bench.edge(down: edge.isMultiple(of: 2), at: .seconds(2) + .microseconds(300) * edge)
        }
        bench.edge(down: false, at: .seconds(4))
        bench.live(until: .seconds(6))
        #expect(bench.story("file kept", "file gone") == ["file gone u1"])
    }

    @Test func aLostReleaseIsFoundByReadingTheLineAgain() {
        bench.lineIsDown = false
        bench.edge(down: true, at: .zero)  // its release never comes
        bench.live(until: .milliseconds(999))
        #expect(bench.machine.button.isDown)
        bench.live(until: .milliseconds(1000))
        #expect(bench.story("reread") == ["reread button"])
        #expect(!bench.machine.button.isDown)
        bench.live(until: .seconds(2))
        // It had become push-to-talk: the release that was found ends the utterance.
        #expect(bench.story("file finished") == ["file finished u1: release"])
    }

    @Test func aHeldButtonIsReadOnceASecond() {
        bench.lineIsDown = true
        bench.edge(down: true, at: .zero)
        bench.live(until: .milliseconds(5500))
        #expect(bench.story("reread").count == 5)
        #expect(bench.machine.button.isDown)
    }

    @Test func anEventOfThePastKeepsItsOrder() {
        // The press and its release are told late, together, when the deadlines between them are long over.
        bench.live(until: .seconds(5))
        bench.edge(down: true, at: .seconds(1))
        bench.edge(down: false, at: .milliseconds(1700))
        bench.live(until: .seconds(6))
        // Held for 0.7 s: push-to-talk, released before the card was up.
        #expect(bench.story("journal") == ["journal opening u1", "journal closed u1: abandoned"])
        #expect(bench.story("file", "card read") == [])
    }

    @Test func aKernelStampBeforeTheLoopsTimeIsThePressesTime() {
        bench.live(until: .seconds(5))
        bench.edge(down: true, at: .milliseconds(4970))
        bench.edge(down: false, at: .milliseconds(5080))
        bench.live(until: .seconds(6))
        let opening = bench.happened.compactMap { entry -> Duration? in
            if case .journal(.opening(_, _, _, let at)) = entry.what { at } else { nil }
        }
        #expect(opening == [.milliseconds(4970)])
    }

    @Test func strangersAtTheHostsAddressAreShownButNotDuringATurn() {
        bench.happens(.host(.mistrusted("a stranger", at: .seconds(1))), at: .seconds(1))
        bench.live(until: .seconds(2))
        #expect(bench.pulses() == fault)
        bench.thumb("#", from: .seconds(10))
        bench.happens(.host(.mistrusted("a stranger", at: .seconds(11))), at: .seconds(11))
        bench.live(until: .seconds(12))
        #expect(bench.pulses(from: .seconds(10)) == [30])
    }
}
