import Foundation
import Shipper

/// What a Shipper reported, for tests to wait on.
final class ShipperEvents: @unchecked Sendable {
    // `lock` guards `events`.
    private let lock = NSCondition()
    private var events: [ShipperEvent] = []

    func add(_ event: ShipperEvent) {
        lock.lock()
        events.append(event)
        lock.broadcast()
        lock.unlock()
    }

    var all: [ShipperEvent] {
        lock.lock()
        defer { lock.unlock() }
        return events
    }

    /// Blocks until `isEnough`; false when that takes a minute, which no test does.
    func wait(_ isEnough: ([ShipperEvent]) -> Bool) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        let limit = Date(timeIntervalSinceNow: 60)
        while !isEnough(events) { if !lock.wait(until: limit) { return isEnough(events) } }
        return true
    }

    /// What happened, one word an event.
    var kinds: [String] { all.map(Self.kind) }

    func waitForIdle(_ times: Int = 1) -> Bool { wait(for: "idle", times) }

    func wait(for kind: String, _ times: Int = 1) -> Bool {
        wait { $0.filter { Self.kind($0) == kind }.count >= times }
    }

    private static func kind(_ event: ShipperEvent) -> String {
        switch event {
        case .rung: "rung"
        case .stored: "stored"
        case .letGo: "let go"
        case .gapTold: "gap told"
        case .setAside: "set aside"
        case .parked: "parked"
        case .delayed: "delayed"
        case .unreachable: "unreachable"
        case .heldBack(let count): "held back \(count)"
        case .heldInTheClear(let count): "held in the clear \(count)"
        case .mistrusted: "mistrusted"
        case .problem: "problem"
        case .idle: "idle"
        }
    }
}
