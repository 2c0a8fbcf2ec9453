import Dispatch
import GPIOPanel
import Hardware
import TestSupport
import Testing
import Threads

@Suite("A button on a real line", .onTheVirtualBoard)
struct VirtualBoardButtonTests {
    private let chip: SimulatedChip
    private let log = ButtonLog()

    init() throws { chip = try SimulatedChip(["", "", "THUMB"]) }

    private func address() -> LineAddress { .offset(chip: chip.label, offset: 2) }

    private func started(bias: LineBias = .pullUp) throws -> GPIOButton {
        let button = try GPIOButton(address(), bias: bias, activeLow: true)
        button.start { [log] in log.report($0) }
        return button
    }

    /// To ground when pressed.
    private func thumb(_ down: Bool) throws { try chip.pull(2, up: !down) }

    @Test(arguments: ButtonContractTests.facts.indices) func itKeepsTheContract(fact: Int) throws {
        let button = try GPIOButton(address(), bias: .pullUp, activeLow: true)
        let contract = ButtonContract(now: monotonicNow) {
            PressedButton(button: button) { down in try thumb(down) }
        }
        let broken = try ButtonContractTests.facts[fact].1(contract)
        #expect(broken == [])
        button.shutDown()
    }

    @Test func aLineIsFoundByItsName() throws {
        let name = "THUMB-\(chip.label)"
        let named = try SimulatedChip(["", name])
        let button = try GPIOButton(.name(name), bias: .pullUp, activeLow: true)
        button.start { [log] in log.report($0) }
        try named.pull(1, up: false)
        #expect(log.edge()?.down == true)
        button.shutDown()
    }

    @Test func heldAtTheStartIsTold() throws {
        try thumb(true)
        let button = try started(bias: .none)
        guard case .heldAtStart? = log.next() else {
            Issue.record("\(log.events)")
            return
        }
        try thumb(false)
        #expect(log.edge()?.down == false)
        button.shutDown()
    }

    /// The kernel's stamp is taken when the line changes, not when the edge is read.
    @Test func anEdgeIsStampedByTheKernelHoweverLateItIsRead() throws {
        let button = try GPIOButton(address(), bias: .pullUp, activeLow: true)
        let gate = DispatchSemaphore(value: 0)
        button.start { [log] in log.report($0, standingStillUntil: gate) }
        try thumb(true)
        let pressed = log.edge()
        try thumb(false)
        let between = try settled()
        gate.signal()
        let released = log.edge()
        #expect(pressed?.down == true && released?.down == false)
        #expect((released?.at ?? .zero) <= between)
        button.shutDown()
    }

    /// Waits until the kernel itself has seen the line's change: the edge is stamped by then. Returns the time.
    private func settled() throws -> Duration {
        let probe = try SimulatedChip(["PROBE"])
        let other = try GPIOButton(.offset(chip: probe.label, offset: 0), bias: .pullUp, activeLow: true)
        let edges = ButtonLog()
        other.start { edges.report($0) }
        // The kernel serves the chips' edges in their order.
        try probe.pull(0, up: false)
        _ = edges.edge()
        other.shutDown()
        return MonotonicClock.now
    }

    @Test func fortyUnreadEdgesEndInTheTrueLevel() throws {
        let button = try GPIOButton(address(), bias: .pullUp, activeLow: true)
        let gate = DispatchSemaphore(value: 0)
        button.start { [log] in log.report($0, standingStillUntil: gate) }
        try thumb(true)
        #expect(log.edge()?.down == true)
        for down in (0..<40).map({ $0 % 2 == 1 }) {
            try thumb(down)
            _ = try settled()
        }
        try thumb(false)
        _ = try settled()
        gate.signal()
        var last = log.edge()
        while let edge = last, edge.down || button.isDown() != false || edge != latest() { last = log.edge() }
        #expect(last?.down == false)
        #expect(button.isDown() == false)
        button.shutDown()
    }

    private func latest() -> Edge? {
        guard case .edge(let edge)? = log.events.last else { return nil }
        return edge
    }

    @Test func aTrainOfBouncesEndsInTheTrueLevel() throws {
        let button = try started()
        for _ in 0..<3 {
            for down in [true, false, true, false, true] { try thumb(down) }
            var edge = log.edge()
            while let bounce = edge, !bounce.down || button.isDown() != true { edge = log.edge() }
            #expect(edge?.down == true)
            for down in [false, true, false] { try thumb(down) }
            edge = log.edge()
            while let bounce = edge, bounce.down || button.isDown() != false { edge = log.edge() }
            #expect(edge?.down == false)
        }
        button.shutDown()
    }

    @Test func whatHappenedBeforeTheStartIsNoPress() throws {
        let button = try GPIOButton(address(), bias: .pullUp, activeLow: true)
        for down in [true, false] {
            try thumb(down)
            _ = try settled()
        }
        button.start { [log] in log.report($0) }
        // The thread has begun when it answers a press of now; nothing came before it.
        while log.events.isEmpty {
            try thumb(true)
            _ = try settled()
            try thumb(false)
            _ = try settled()
        }
        let first = log.events.first
        guard case .edge(let edge)? = first, edge.down else {
            Issue.record("\(String(describing: first))")
            return
        }
        button.shutDown()
    }

    @Test func anUnpluggedChipIsLostOnceAndReturnsOnce() throws {
        let button = try started()
        try thumb(true)
        #expect(log.edge()?.down == true)
        try chip.unplug()
        guard case .lost(let sentence)? = log.next() else {
            Issue.record("\(log.events)")
            return
        }
        #expect(sentence.contains(chip.label))
        #expect(button.isDown() == nil)
        try chip.plug()
        guard case .returned(false, _)? = log.next() else {
            Issue.record("\(log.events)")
            return
        }
        try thumb(true)
        #expect(log.edge()?.down == true)
        #expect(log.events.count == 4)
        button.shutDown()
    }

    @Test func aLineThatWasLetGoCanBeHadAgain() throws {
        for _ in 0..<2 {
            let button = try started()
            button.shutDown()
        }
    }
}
