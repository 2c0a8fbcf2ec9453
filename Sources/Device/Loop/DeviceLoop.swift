// Invariants
// 1. One thread owns the machine: events come in through the queue, effects go out through `perform`, and every
//    effect the device has stands in its one switch.
// 2. Nothing here waits: the card, the disk and the network have threads of their own and answer by events. No lock that
//    is taken here is ever held across a call that may block: a press lights and opens while every sync stands still.
// 3. The lamp is set before anything else that a press leads to.
// 4. Idle, the thread sleeps in poll until an event, a deadline of the machine or the watchdog's ping.

import DeviceMachine
import Hardware
import Sealing
import Service
import Synchronization
import Threads
import Turn
import Wire

/// Drives a board by the machine's decisions.
package final class DeviceLoop {
    /// Everything the loop acts on.
    struct Parts {
        let button: [any ButtonSource]
        let lamp: any Output
        let motor: any Output
        let microphone: any Microphone
        let recorder: Recorder
        /// A press or a new utterance: the transfer tries again now, whatever its back-off says.
        let wakeTransfer: @Sendable () -> Void
        let ledger: Ledger
        let log: Log
        /// Frames per second of the recordings.
        let rate: Int
        /// Whether an utterance is on its way to the outbox: the system's sleep waits for it.
        var holdSleep: @Sendable (Bool) -> Void = { _ in }
        /// Asks for a reading of the battery, which comes as an event.
        var readBattery: @Sendable () -> Void = {}
        /// Asks to be told when the microphone is there.
        var awaitMicrophone: @Sendable () -> Void = {}
    }

    private let parts: Parts
    private let events: EventQueue
    private let board: StatusBoard
    private var machine: DeviceMachine
    private var status = DeviceStatus()
    /// The latest presses and what became of them.
    package private(set) var reports: TurnReports
    private var lampSetAt = Duration.zero
    private var ended = false
    /// Asked at every turn of the loop: whether the program has done what it was started for, or when to ask again.
    private let isDone: (DeviceLoop, Duration) -> Verdict

    /// Whether a simulation is over.
    package enum Verdict: Equatable {
        case goesOn
        case askAgain(at: Duration)
        case done
    }

    init(
        parts: Parts, settings: DeviceMachine.Settings, events: EventQueue, board: StatusBoard,
        reporting presses: Int = TurnReports.usual,
        isDone: @escaping (DeviceLoop, Duration) -> Verdict = { _, _ in .goesOn }
    ) {
        reports = TurnReports(keeping: presses)
        self.parts = parts
        self.events = events
        self.board = board
        self.isDone = isDone
        machine = DeviceMachine(settings: settings, newID: { UtteranceID(randomID()) })
        status.mode = settings.mode
    }

    /// No turn is up and everything recorded is in `out/`.
    package var isIdle: Bool { machine.isIdle }

    /// The microphone is closed, or has given its first sample.
    package var isSettled: Bool {
        let isHeard = machine.stage != .listening || reports.last?.firstSample != nil
        return machine.stage != .starting && !machine.cardIsBusy && isHeard
    }

    /// Runs until the machine or `isDone` ends it. Ready is told once the button is watched.
    func run() {
        for source in parts.button {
            let events = events
            source.start { events.post(.button($0)) }
        }
        Service.notifyReady()
        let watchdog = Service.watchdogInterval
        var pingAt = watchdog.map { _ in MonotonicClock.now }
        while !ended {
            let now = MonotonicClock.now
            let arrived = events.takeAll()
            var changed = false
            for event in arrived {
                note(event)
                let actions = machine.handle(event, at: now)
                changed = changed || !event.isRoutine || !actions.isEmpty
                perform(actions)
            }
            events.recycle(arrived)
            let due = machine.advance(to: now)
            changed = changed || !due.isEmpty
            perform(due)
            if let due = pingAt, let watchdog, due <= now {
                if !machine.cardHangs(at: now) { Service.pingWatchdog() }
                pingAt = now + watchdog
            }
            if changed {
                renewStatus()
                parts.holdSleep(machine.holdsUtterances)
            }
            var wakeAt = [machine.deadline, pingAt].compactMap { $0 }.min()
            switch isDone(self, now) {
            case .goesOn: break
            case .askAgain(let at): wakeAt = min(wakeAt ?? at, at)
            case .done: return
            }
            if !ended { events.wait(until: wakeAt) }
        }
    }

    private func perform(_ actions: [DeviceAction]) {
        for action in actions { perform(action) }
    }

    /// Where all effects live.
    private func perform(_ action: DeviceAction) {
        switch action {
        case .lamp(let on):
            parts.lamp.set(on)
            lampSetAt = MonotonicClock.now
        case .motor(let on): parts.motor.set(on)
        case .microphone(let step): parts.microphone.perform(step)
        case .journal(let entry): journal(entry)
        case .beginRecording(let id, let press): parts.recorder.order(.begin(id, press: press))
        case .finishRecording(let id, let facts):
            reports.change(id) { report in
                report.speech = facts.firstSpeech
                report.ended = facts.ended
                report.speechSeconds = facts.speechSeconds
            }
            parts.recorder.order(.finish(id, facts))
        case .commit(let id): parts.recorder.order(.commit(id))
        case .discard(let id): parts.recorder.order(.discard(id))
        case .wakeShipper: parts.wakeTransfer()
        case .checkRoom: parts.recorder.order(.checkRoom)
        case .readBattery: parts.readBattery()
        case .awaitMicrophone: parts.awaitMicrophone()
        case .stopReply, .replayLastReply: break  // no host offers replies: none is ever played or kept
        case .rereadButton:
            let levels = parts.button.map { $0.isDown() }
            // Down when any is; up only when all say so: one that cannot be read may be the one that is held.
            if levels.contains(true) || levels.allSatisfy({ $0 == false }) {
                events.post(.buttonLevel(down: levels.contains(true), at: MonotonicClock.now))
            }
        case .log(let level, let line): parts.log.write(level, line)
        case .end: ended = true
        }
    }

    private func journal(_ entry: LedgerEntry) {
        parts.ledger.append(entry.json(Clocks()))
        switch entry {
        case .opening(let id, _, _, let at):
            var report = TurnReport(id: id, press: at)
            report.light = lampSetAt >= at ? lampSetAt : nil
            reports.begin(report)
        case .firstSample(let id, let afterPress, _):
            reports.change(id) { $0.firstSample = $0.press + afterPress }
        case .closed(let id, let reason, let summary, let at):
            parts.recorder.order(.syncJournal)
            reports.change(id) { report in
                report.endReason = reason.rawValue
                report.captured = (Double(summary?.frames ?? 0) / Double(parts.rate)).milli
                report.ended = report.ended ?? at
            }
        }
    }

    /// Writes the stations of an utterance into its report and into the log.
    private func note(_ event: DeviceEvent) {
        switch event {
        case .recorder(.kept(let id, let at)):
            reports.change(id) { $0.kept = at }
            guard let report = reports.all.last(where: { $0.id == id }) else { return }
            let reason = report.endReason ?? ""
            parts.log.write(
                .notice,
                "utterance=\(id.rawValue) kept seconds=\(report.captured) speech=\(report.speechSeconds.milli) end=\"\(reason)\""
            )
        case .recorder(.discarded(let id, _)):
            reports.change(id) { $0.discarded = true }
            parts.log.write(.notice, "utterance=\(id.rawValue) discarded")
        case .recorder(.failed(let id, _, _)):
            reports.change(id) { $0.discarded = true }
        case .host(.rung(let id, let at)): reports.change(id) { $0.rung = at }
        case .host(.stored(let id, let at)):
            reports.change(id) { $0.received = at }
            status.hostSays = nil
        case .host(.letGo(let id, let at)):
            reports.change(id) { $0.letGo = at }
            parts.log.write(.notice, "utterance=\(id.rawValue) stored on the host and let go")
        case .host(.setAside(let id, _)):
            status.hostSays = nil
            parts.log.write(
                .notice,
                "utterance=\(id.rawValue) acknowledged by the foreign server, which is no receipt: kept in sent/"
            )
        case .host(.unreachable(let sentence, _)), .host(.mistrusted(let sentence, _)):
            status.hostSays = sentence
        case .host(.heldBack(let count, _)): status.heldBack = count
        case .host(.parked), .host(.signOfLife), .host(.replyPlaying), .host(.replyOver): break
        case .recorder(.finished), .recorder(.full), .recorder(.room), .recorder(.cardFailing),
            .recorder(.journalFailing):
            break
        case .button, .buttonLevel, .microphone, .heard, .battery, .microphoneReady, .endAsked: break
        }
    }

    private func renewStatus() {
        status.phase = machine.stage
        status.stopReason = machine.stopReason
        status.microphoneOpen = machine.microphoneIsOpen
        status.refusal = machine.refusal
        status.glitches = machine.glitches
        status.lastTurn = reports.last
        board.show(status)
    }
}

/// The loop's latest status, readable from any thread.
final class StatusBoard: Sendable {
    private let status = Mutex(DeviceStatus())

    func show(_ status: DeviceStatus) { self.status.withLock { $0 = status } }

    var current: DeviceStatus { status.withLock { $0 } }
}

extension Double {
    /// Rounded to a thousandth.
    package var milli: Double { (self * 1000).rounded() / 1000 }
}
