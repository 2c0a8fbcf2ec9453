import Hardware
import TestSupport

@testable import Device

/// A sound card whose every operation takes 50 to 3,000 ms, sometimes fails, and is sometimes unplugged.
final class StormCard {
    enum State: Equatable {
        case closed
        case busy(MicrophoneStep)
        case opened
        case configured
        case started
        case reading(since: Duration)
    }

    private(set) var state = State.closed
    /// Counts the openings, so that a reading of one that is over is not heard in the next.
    private(set) var opening = 0
    private(set) var operations = 0
    private var speech: [ClosedRange<Int>] = []

    func perform(_ step: MicrophoneStep, _ world: StormWorld) {
        if case .busy(let other) = state { world.blame("\(step) was asked for while \(other) is in flight") }
        switch step {
        case .open:
            if state != .closed { world.blame("open of a card that is \(state)") }
            opening += 1
            begin(.open, world)
        case .configure:
            if state != .opened { world.blame("configure of a card that is \(state)") }
            begin(.configure, world)
        case .start:
            if state != .configured { world.blame("start of a card that is \(state)") }
            begin(.start, world)
        case .read:
            if state != .started { world.blame("read of a card that is \(state)") }
            state = .reading(since: world.now)
            speech = Self.words(world)
            world.schedule(
                .device(.microphone(.firstFrames(at: world.now + .milliseconds(10)))),
                after: .milliseconds(10))
            world.schedule(.reading(opening: opening, index: 0), after: .milliseconds(100))
            if world.chance(3) {
                world.schedule(.unplug(opening: opening), after: world.milliseconds(200...6000))
            }
        case .close:
            let since: Duration? = if case .reading(let since) = state { since } else { nil }
            state = .busy(.close)
            operations += 1
            var summary = CaptureSummary()
            if let since { summary.frames = Int((world.now - since) / .microseconds(62)) }
            let delay = Self.duration(world)
            world.schedule(.device(.microphone(.closed(summary, at: world.now + delay))), after: delay)
        }
    }

    private func begin(_ step: MicrophoneStep, _ world: StormWorld) {
        state = .busy(step)
        operations += 1
        let delay = Self.duration(world)
        let at = world.now + delay
        if world.chance(2) {
            let fault = MicrophoneFault.busy(device: "storm", holder: nil)
            world.schedule(.device(.microphone(.failed(step, fault, at: at))), after: delay)
        } else {
            world.schedule(.device(.microphone(.done(step, at: at))), after: delay)
        }
    }

    /// Most cards are quick, some take seconds.
    private static func duration(_ world: StormWorld) -> Duration {
        world.chance(75) ? world.milliseconds(50...300) : world.milliseconds(300...3000)
    }

    func answered(_ world: StormWorld) {
        switch state {
        case .busy(.open): state = .opened
        case .busy(.configure): state = .configured
        case .busy(.start): state = .started
        case .busy, .closed, .opened, .configured, .started, .reading: world.blame("an answer to nothing")
        }
    }

    func failed(_ world: StormWorld) { state = .closed }

    func closed(_ world: StormWorld) { state = .closed }

    /// The next reading of an opening, and the one after it scheduled; nil when the opening is over.
    func reading(_ opening: Int, _ index: Int, _ world: StormWorld) -> LevelReading? {
        guard opening == self.opening, case .reading = state else { return nil }
        world.schedule(.reading(opening: opening, index: index + 1), after: .milliseconds(100))
        let speaks = speech.contains { $0.contains(index) }
        let level = (speaks ? -28.0 : -62.0) + Double.random(in: -2...2, using: &world.random)
        return LevelReading(index: index, dbfs: level, at: world.now)
    }

    /// Readings in which the wearer speaks: nothing, a word, or phrases with pauses, after half a second of room.
    private static func words(_ world: StormWorld) -> [ClosedRange<Int>] {
        guard !world.chance(12) else { return [] }
        var at = 5 + Int.random(in: 0...12, using: &world.random)
        return (0..<Int.random(in: 1...4, using: &world.random)).map { _ in
            let length = Int.random(in: 1...25, using: &world.random)
            defer { at += length + Int.random(in: 3...24, using: &world.random) }
            return at...at + length
        }
    }
}
