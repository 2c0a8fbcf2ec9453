import Foundation
import Hardware
import TestSupport
import Testing
import Turn

@testable import Device
@testable import DeviceMachine

/// A day of 1,000 presses, half of them in bursts (and some more while a reply plays), on a slow and faulty card behind a link that comes and goes.
@Suite struct StormTests {
    @Test(arguments: [1, 2, 3])
    func aStormOfPressesBreaksNoLaw(seed: Int) throws {
        var settings = DeviceMachine.Settings()
        settings.repliesExpected = true
        let world = try storm(seed: UInt64(seed), settings: settings)
        let table = edgeTable(world)
        print("storm, seed \(seed):\n\(table.text)")
        #expect(table.empty.isEmpty, "cells without an edge: \(table.empty)")
    }

    @Test(arguments: [Gesture.Mode.hold, .memo], [11, 12])
    func theOtherModesBreakNoLawEither(mode: Gesture.Mode, seed: Int) throws {
        var settings = DeviceMachine.Settings()
        settings.mode = mode
        settings.limits.memoLongest = .seconds(600)
        settings.battery = true
        try storm(seed: UInt64(seed), settings: settings)
    }

    @Test func theSameSeedIsTheSameDay() throws {
        var settings = DeviceMachine.Settings()
        settings.repliesExpected = true
        let first = try storm(seed: 4, settings: settings)
        let second = try storm(seed: 4, settings: settings)
        #expect(first.edges == second.edges)
        #expect(first.custody.kept == second.custody.kept)
        #expect(first.card.operations == second.card.operations)
    }

    @discardableResult
    private func storm(seed: UInt64, settings: DeviceMachine.Settings) throws -> StormWorld {
        let folder = TemporaryFolder()
        let world = try StormWorld(seed: seed, folder: folder.file("outbox"), settings: settings)
        schedulePresses(world)
        for hour in 0..<24 {
            world.schedule(
                .link(up: false),
                after: .seconds(hour * 3600 + Int.random(in: 0...1500, using: &world.random)))
            world.schedule(
                .link(up: true),
                after: .seconds(hour * 3600 + Int.random(in: 1501...2400, using: &world.random)))
        }
        world.live()
        world.custody.drain(world)
        world.live()
        checkTheEnd(world)
        return world
    }

    /// 500 single presses, and 500 in bursts whose edges are 5 to 400 ms apart.
    private func schedulePresses(_ world: StormWorld) {
        for _ in 0..<500 {
            let at = Duration.milliseconds(Int.random(in: 0..<86_400_000, using: &world.random))
            world.press(after: at, held: held(world))
        }
        var left = 500
        while left > 0 {
            var at = Duration.milliseconds(Int.random(in: 0..<86_000_000, using: &world.random))
            for _ in 0..<min(left, Int.random(in: 2...12, using: &world.random)) {
                let apart = Int.random(in: 5...400, using: &world.random)
                world.press(
                    after: at,
                    held: .milliseconds(max(1, Int.random(in: 1...max(1, apart - 2), using: &world.random))))
                at += .milliseconds(apart)
                left -= 1
            }
        }
    }

    /// A glitch, a tap, push-to-talk, or a long press.
    private func held(_ world: StormWorld) -> Duration {
        switch Int.random(in: 0..<100, using: &world.random) {
        case 0..<5: world.milliseconds(1...4)
        case 5..<75: world.milliseconds(30...400)
        case 75..<90: world.milliseconds(700...6000)
        default: world.milliseconds(1500...3000)
        }
    }

    private func checkTheEnd(_ world: StormWorld) {
        let custody = world.custody
        #expect(world.broken.isEmpty, "\(world.broken.joined(separator: "\n"))")
        #expect(world.machine.card.recordSwitch.real == .closed)
        #expect(world.machine.card.recordSwitch.wanted == .closed)
        #expect(world.card.state == .closed)
        #expect(world.machine.takes.isEmpty)
        #expect(custody.openings == custody.closings)
        #expect(custody.outbox.waiting().isEmpty)
        #expect(custody.begun == custody.kept.union(custody.discarded))
        #expect(custody.kept.isDisjoint(with: custody.discarded))
        // On the host: every kept utterance, once, byte for byte.
        #expect(custody.host.stored.count == 2 * custody.kept.count)
        #expect(custody.host.commits == 2 * custody.kept.count)
        for id in custody.kept {
            #expect(
                custody.host.stored(utterance: id.rawValue, kind: .audio)
                    == Array("the words of \(id.rawValue)".utf8))
        }
        // Discarded: by the wearer's own gesture, or with nothing in it that the mode would send.
        for id in custody.discarded {
            let facts = custody.facts[id]
            let byGesture = facts.map { [.button, .release, .abandoned].contains($0.reason) } ?? false
            let empty = facts.map { $0.speechSeconds < 0.4 } ?? false
            #expect(byGesture || empty, "\(id.rawValue) was lost: \(String(describing: facts?.reason))")
        }
        // The storm was one: both ways out were taken.
        #expect(custody.kept.count > 40)
        #expect(!custody.discarded.isEmpty)
    }

    private func edgeTable(_ world: StormWorld) -> (text: String, empty: [String]) {
        var lines = ["  phase       press  release"]
        var empty: [String] = []
        for stage in Gesture.Stage.allCases {
            let counts = ["press", "release"].map { edge in
                let count = world.edges[.init(stage: stage, edge: edge)] ?? 0
                if count == 0 { empty.append("\(stage) × \(edge)") }
                return count
            }
            lines.append(
                "  " + "\(stage)".padding(toLength: 10, withPad: " ", startingAt: 0)
                    + String(format: "%7d%9d", counts[0], counts[1]))
        }
        let custody = world.custody
        lines.append(
            "  \(custody.openings.count) turns, \(custody.kept.count) on the host, \(custody.discarded.count) discarded, \(world.card.operations) card operations"
        )
        return (lines.joined(separator: "\n"), empty)
    }
}

extension [UInt8] {
    init(contentsOf path: String) throws { self = Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
}
