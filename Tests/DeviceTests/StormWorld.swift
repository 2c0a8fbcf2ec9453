import Glibc
import Hardware
import Outbox
import Sealing
import Simulator
import TestSupport
import Turn
import Wire

@testable import Device
@testable import DeviceMachine

/// A board, a wearer, a card, a network and a host in virtual time, all from one seed, around the real machine and a
/// real outbox on a real file system.
final class StormWorld {
    enum Happening {
        case device(DeviceEvent)
        case recorder
        case reading(opening: Int, index: Int)
        case unplug(opening: Int)
        case ship
        case link(up: Bool)
    }

    struct Cell: Hashable {
        let stage: Gesture.Stage
        let edge: String
    }

    var random: SeededGenerator
    var now = Duration.zero
    var machine: DeviceMachine
    private(set) var edges: [Cell: Int] = [:]
    /// Broken laws, in words; empty at the end of a good day.
    private(set) var broken: [String] = []
    let card: StormCard
    let custody: StormCustody
    let repliesExpected: Bool
    private var agenda: [(at: Duration, order: Int, what: Happening)] = []
    private var scheduled = 0

    init(seed: UInt64, folder: String, settings: DeviceMachine.Settings) throws {
        random = SeededGenerator(seed: seed)
        let ids = StormNames(seed: seed)
        machine = DeviceMachine(settings: settings, newID: { UtteranceID(ids.next().id) })
        card = StormCard()
        custody = try StormCustody(folder: folder, names: ids)
        repliesExpected = settings.repliesExpected
    }

    func schedule(_ what: Happening, after delay: Duration) {
        scheduled += 1
        let entry = (at: now + delay, order: scheduled, what: what)
        var low = 0
        var high = agenda.count
        while low < high {
            let middle = (low + high) / 2
            if (agenda[middle].at, agenda[middle].order) > (entry.at, entry.order) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        agenda.insert(entry, at: low)
    }

    func press(after delay: Duration, held: Duration) {
        schedule(.device(.button(.edge(Edge(down: true, at: now + delay)))), after: delay)
        schedule(.device(.button(.edge(Edge(down: false, at: now + delay + held)))), after: delay + held)
    }

    func milliseconds(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: range, using: &random))
    }

    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    func blame(_ sentence: String) { if broken.count < 20 { broken.append("\(now): \(sentence)") } }

    /// Lives until nothing is left to happen.
    func live() {
        while let next = agenda.last {
            if let deadline = machine.deadline, deadline <= next.at {
                now = max(now, deadline)
                perform(machine.advance(to: now))
            } else {
                agenda.removeLast()
                now = next.at
                happen(next.what)
            }
            check()
        }
        while let deadline = machine.deadline, deadline < now + .seconds(600) {
            now = max(now, deadline)
            perform(machine.advance(to: now))
        }
        if !agenda.isEmpty { live() }
    }

    private func happen(_ what: Happening) {
        switch what {
        case .device(let event):
            if case .button(.edge(let edge)) = event {
                edges[Cell(stage: machine.stage, edge: edge.down ? "press" : "release"), default: 0] += 1
            }
            if case .microphone(.done) = event { card.answered(self) }
            if case .microphone(.failed) = event { card.failed(self) }
            if case .microphone(.closed) = event { card.closed(self) }
            perform(machine.handle(event, at: now))
        case .recorder:
            for event in custody.serveNext(self) { perform(machine.handle(.recorder(event), at: now)) }
        case .reading(let opening, let index):
            if let reading = card.reading(opening, index, self) {
                perform(machine.handle(.microphone(.reading(reading)), at: now))
            }
        case .unplug(let opening):
            if card.opening == opening, case .reading = card.state {
                perform(machine.handle(.microphone(.fault(.unplugged(device: "storm"), at: now)), at: now))
            }
        case .ship: custody.ship(self)
        case .link(let up):
            custody.linkIsUp = up
            if up { schedule(.ship, after: .milliseconds(10)) }
        }
    }

    private func perform(_ actions: [DeviceAction]) {
        for action in actions {
            switch action {
            case .microphone(let step): card.perform(step, self)
            case .beginRecording(let id, let press): custody.order(.begin(id, press: press), self)
            case .finishRecording(let id, let facts): custody.order(.finish(id, facts), self)
            case .commit(let id): custody.order(.commit(id), self)
            case .discard(let id): custody.order(.discard(id), self)
            case .wakeShipper: schedule(.ship, after: .milliseconds(5))
            case .journal(let entry): custody.journal(entry, self)
            case .readBattery: readBattery()
            case .lamp, .motor, .stopReply, .replayLastReply, .rereadButton, .checkRoom, .awaitMicrophone,
                .log, .end:
                break
            }
        }
    }

    /// One reading in twenty says that the battery is nearly empty.
    private func readBattery() {
        let gaugeTakes = Duration.milliseconds(Int.random(in: 1...200, using: &random))
        let level = BatteryLevel(
            percent: Int.random(in: 0..<20, using: &random) == 0 ? 3 : 60, isCharged: false)
        schedule(.device(.battery(level, at: now + gaugeTakes)), after: gaugeTakes)
    }

    /// After every event: the microphone is open only while the turn listens, or while the one operation that closes
    /// it is on its way.
    private func check() {
        if case .reading = card.state, !machine.turn.micOpen { blame("the card is read and no turn listens") }
        if machine.turn.micOpen, case .closed = card.state { blame("a turn listens to a closed card") }
        if machine.takes.count > 8 { blame("\(machine.takes.count) utterances are unsettled") }
    }
}

/// Names from the seed, in order.
final class StormNames: @unchecked Sendable {
    // One thread lives in a storm.
    private var random: SeededGenerator
    private var seq: UInt64 = 0
    private(set) var names: [UtteranceID: ItemName] = [:]

    init(seed: UInt64) { random = SeededGenerator(seed: seed ^ 0xA5A5) }

    func next() -> ItemName {
        seq += 1
        let digits = (0..<2).map { _ in
            let text = String(random.next(), radix: 16)
            return String(repeating: "0", count: 16 - text.utf8.count) + text
        }.joined()
        let name = sure(ItemName(seq: seq, id: digits))
        names[UtteranceID(name.id)] = name
        return name
    }
}
