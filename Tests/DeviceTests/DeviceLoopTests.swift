import Foundation
import Hardware
import Simulator
import Synchronization
import TestSupport
import Testing
import Threads
import Turn
import Wire

@testable import Device
@testable import DeviceMachine

/// A button whose edges and level the test makes.
private final class HandButton: ButtonSource {
    private let sink = Mutex<(@Sendable (ButtonEvent) -> Void)?>(nil)
    private let level: Bool?
    let happened = Happened()

    init(level: Bool?) { self.level = level }

    func start(report: @escaping @Sendable (ButtonEvent) -> Void) {
        sink.withLock { $0 = report }
        happened.note("started")
    }

    func isDown() -> Bool? {
        happened.note("read")
        return level
    }

    func edge(_ down: Bool, at: Duration) { sink.withLock { $0 }?(.edge(Edge(down: down, at: at))) }
}

/// What happened on other threads, in order, and waited for.
private final class Happened: Sendable {
    private let words = Mutex<[String]>([])
    private let wakeUp = WakeUp()

    func note(_ word: String) {
        words.withLock { $0.append(word) }
        wakeUp.ring()
    }

    var all: [String] { words.withLock { $0 } }

    /// False after 30 s.
    func wait(for word: String) -> Bool {
        let end = MonotonicClock.now + .seconds(30)
        while !all.contains(word) {
            if MonotonicClock.now >= end { return false }
            wakeUp.wait(until: end)
            wakeUp.clear()
        }
        return true
    }
}

private final class NotedOutput: Output {
    let happened: Happened
    init(_ happened: Happened) { self.happened = happened }
    func set(_ on: Bool) { happened.note(on ? "lamp on" : "lamp off") }
}

/// Writes the journal before it opens, as the real one does on its own thread.
private final class NotedMicrophone: Microphone {
    let inner: SimulatedMicrophone
    let ledger: Ledger
    let happened: Happened

    init(_ inner: SimulatedMicrophone, _ ledger: Ledger, _ happened: Happened) {
        self.inner = inner
        self.ledger = ledger
        self.happened = happened
    }

    func perform(_ step: MicrophoneStep) {
        if step == .open { try? ledger.write() }
        inner.perform(step)
        happened.note("\(step)")
    }
}

/// The real loop, recorder, outbox and journal around a simulated microphone.
private final class LoopBench: Sendable {
    let buttons: [HandButton]
    let happened = Happened()
    let microphone: SimulatedMicrophone
    private let events: EventQueue
    private let thread: NamedThread
    private let finished: Finished

    private final class Finished: Sendable {
        let reports = Mutex<[TurnReport]>([])
    }

    init(
        _ bench: RecorderBench, levels: [Bool?], script: [SimulatedMicrophone.Misfortune?] = [],
        settings: DeviceMachine.Settings
    ) {
        let events = EventQueue()
        let happened = happened
        let told = bench.reports
        buttons = levels.map { HandButton(level: $0) }
        microphone = SimulatedMicrophone(
            samples: (0..<16_000).map { Int16($0 % 9000) }, script: script, start: MonotonicClock.now,
            sink: bench.queue
        ) { events.post(.microphone($0)) }
        let recorder = Recorder(
            outbox: bench.outbox, ledger: bench.ledger, queue: bench.queue, form: RecorderBench.form(.wav)
        ) {
            told.report($0)
            events.post(.recorder($0))
        }
        let parts = DeviceLoop.Parts(
            button: buttons, lamp: NotedOutput(happened), motor: NoOutput(),
            microphone: NotedMicrophone(microphone, bench.ledger, happened), recorder: recorder,
            wakeTransfer: { happened.note("wake") }, ledger: bench.ledger,
            log: Log(level: .error), rate: 16_000)
        let board = StatusBoard()
        self.events = events
        let finished = Finished()
        self.finished = finished
        thread = NamedThread("loop") {
            let loop = DeviceLoop(parts: parts, settings: settings, events: events, board: board)
            loop.run()
            recorder.shutDown()
            finished.reports.withLock { $0 = loop.reports.all }
        }
        for button in buttons { _ = button.happened.wait(for: "started") }
    }

    /// Stops the loop. The presses and what became of them.
    func end() -> [TurnReport] {
        events.post(.endAsked(.shutdown, at: MonotonicClock.now))
        thread.join()
        return finished.reports.withLock { $0 }
    }
}

@Suite struct DeviceLoopTests {
    /// The gate is open again when the test ends, however it does: nobody stands there for ever.
    @Test func aPressLightsAndOpensWhileEverySyncStandsStill() throws {
        let gate = SyncGate()
        let bench = try RecorderBench(seam: gate.pass, ledgerSeam: gate.pass)
        let device = LoopBench(bench, levels: [nil], settings: Self.hold)
        // Of the first block of numbers none is left, and a sync of the journal is under way.
        for _ in 0..<64 { _ = try bench.outbox.reserveName() }
        gate.shut()
        defer { gate.open() }
        bench.ledger.append(["record": "earlier"])
        let syncing = NamedThread("syncing") { [ledger = bench.ledger] in try? ledger.sync() }
        #expect(gate.holds(.syncData))

        let press = MonotonicClock.now
        device.microphone.advance(to: press)
        device.buttons[0].edge(true, at: press)
        #expect(device.happened.wait(for: "read"))
        #expect(device.happened.all.first == "lamp on")
        #expect(gate.isShut && gate.holds(.sync), "the recorder waits for its number")
        let records = try Ledger.records(in: bench.folder.file("ledger"))
        #expect(records.compactMap { $0["record"]?.string } == ["earlier", "opening"])

        device.microphone.advance(by: .seconds(1))
        device.buttons[0].edge(false, at: press + .milliseconds(600))
        #expect(device.happened.wait(for: "close"))
        gate.open()
        syncing.join()
        _ = device.end()
        let (_, samples) = try #require(try bench.kept().first)
        #expect(samples == (0..<16_000).map { Int16($0 % 9000) })
    }

    private static var hold: DeviceMachine.Settings {
        var settings = DeviceMachine.Settings()
        settings.mode = .hold
        return settings
    }

    @Test func aHeldPressBecomesAFileAJournalAndAReport() throws {
        let bench = try RecorderBench()
        let device = LoopBench(bench, levels: [nil], settings: Self.hold)
        let press = MonotonicClock.now
        device.microphone.advance(to: press)
        device.buttons[0].edge(true, at: press)
        #expect(device.happened.wait(for: "read"))
        #expect(device.happened.all.first == "lamp on")
        device.microphone.advance(by: .seconds(1))
        device.buttons[0].edge(false, at: press + .milliseconds(600))
        #expect(device.happened.wait(for: "close"))
        let report = try #require(device.end().first)
        // Everything is kept when the loop has ended.
        #expect(bench.kinds.contains("kept"))
        let (manifest, samples) = try #require(try bench.kept().first)
        #expect(samples == (0..<16_000).map { Int16($0 % 9000) })
        #expect(manifest.endReason == "release" && manifest.readings.count == 10)
        #expect(manifest.utterance == report.id.rawValue)
        #expect(
            report.light.map { $0 >= press } == true && report.kept != nil && report.endReason == "release")
        let records = try Ledger.records(in: bench.folder.file("ledger"))
        #expect(records.compactMap { $0["record"]?.string } == ["opening", "first_sample", "closed"])
        #expect(records.last?["frames"]?.int == 16_000)
        #expect(device.microphone.record.outOfOrder == [] && !device.microphone.record.isOpen)
        #expect(device.happened.all.filter { $0.hasPrefix("lamp") }.last == "lamp off")
    }

    @Test func aMicrophoneThatIsNotThereLeavesAJournalAndNoFile() throws {
        let bench = try RecorderBench()
        let device = LoopBench(
            bench, levels: [nil], script: [.fails(.open, .missing(device: "mic"))], settings: Self.hold)
        device.buttons[0].edge(true, at: MonotonicClock.now)
        #expect(device.happened.wait(for: "open"))
        let report = try #require(device.end().first)
        #expect(report.endReason == "failed" && report.firstSample == nil)
        #expect(try bench.kept().isEmpty && bench.files("rec") == [])
        let records = try Ledger.records(in: bench.folder.file("ledger"))
        #expect(records.compactMap { $0["record"]?.string } == ["opening", "closed"])
    }

    @Test func aButtonThatIsUpDoesNotReleaseAnotherThatIsHeld() throws {
        let bench = try RecorderBench()
        // One cannot be read, as a script; one is up, as a panel that nobody touches.
        let device = LoopBench(bench, levels: [nil, false], settings: Self.hold)
        let press = MonotonicClock.now
        device.microphone.advance(to: press)
        device.buttons[0].edge(true, at: press)
        #expect(device.happened.wait(for: "read"))
        device.microphone.advance(by: .seconds(1))
        #expect(device.buttons[1].happened.wait(for: "read"))
        device.buttons[0].edge(false, at: press + .milliseconds(1300))
        #expect(device.happened.wait(for: "close"))
        let report = try #require(device.end().first)
        #expect(report.ended.map { $0 - press >= .milliseconds(1300) } == true)
    }
}
