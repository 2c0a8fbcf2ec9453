import Cues
import Hardware
import TestSupport
import Turn

/// Every cue; of those that carry a value, one, and of the faults the first and the last.
let lampCues: [Cue] = [
    .starting, .listening, .countdown(secondsLeft: 3), .timeUp, .heard, .kept, .nothingHeard, .discarded,
    .replyStarts, .replyWaiting, .notReady, .outboxFull, .paired, .blink,
    .stopped(sure(Fault.allCases.first)),
    .stopped(sure(Fault.allCases.last)),
]

/// The facts that hold for every lamp. Each function is one fact and returns the ways in which it was broken: none, when
/// it holds. Time is turned by hand: no lamp has a clock of its own.
struct LampContract {
    /// A lamp that was just had.
    let make: () throws -> ObservedOutput

    func itIsDarkUntilItIsSet() throws -> [String] {
        try make().isOn() ? ["it is lit before it was set"] : []
    }

    /// Set twice to the same, it stays.
    func itShowsWhatWasSetLast() throws -> [String] {
        let lamp = try make()
        var broken: [String] = []
        for (position, on) in [true, true, false, false, true, false, true].enumerated() {
            lamp.output?.set(on)
            if try lamp.isOn() != on { broken.append("change \(position) to \(on) is not seen") }
        }
        return broken
    }

    /// At every fiftieth of a second the lamp is as the cue's pattern has it, and it changes at the deadlines alone.
    func everyCueIsShownByTheLoopsDeadlines() throws -> [String] {
        let lamp = try make()
        var broken: [String] = []
        for cue in lampCues {
            var service = CueService(lamp: true, motor: false, haptics: true)
            lamp.output?.set(false)
            perform(service.fire(cue, at: .zero), lamp)
            for step in 0..<300 {
                let now = Duration.milliseconds(20 * step)
                while let due = service.deadline, due <= now { perform(service.advance(to: due), lamp) }
                let lit = LampPattern.of(cue).isLit(after: now)
                if try lamp.isOn() != lit { broken.append("\(cue) at \(now): \(lit ? "dark" : "lit")") }
            }
        }
        return broken
    }

    /// However late the loop comes, the lamp shows what is due then.
    func aLateLoopShowsWhatIsDueNow() throws -> [String] {
        let lamp = try make()
        var service = CueService(lamp: true, motor: false, haptics: true)
        perform(service.fire(.starting, at: .zero), lamp)
        perform(service.fire(.kept, at: .seconds(1)), lamp)
        perform(service.advance(to: .seconds(60)), lamp)
        return try lamp.isOn() ? ["a pattern that is long over still shines"] : []
    }

    func itIsDarkWhenItIsLetGo() throws -> [String] {
        var lamp = try make()
        lamp.output?.set(true)
        lamp.letGo()
        return try lamp.isOn() ? ["it shines on"] : []
    }

    private func perform(_ outputs: [CueService.Output], _ lamp: ObservedOutput) {
        for case .lamp(let on) in outputs { lamp.output?.set(on) }
    }
}

extension LampPattern {
    /// The level of a pattern that began over a dark lamp, worked out from its drawing.
    fileprivate func isLit(after elapsed: Duration) -> Bool {
        switch self {
        case .solid: true
        case .dark: false
        case .flip(let length): elapsed < length
        case .once(let flashes): flashes.areLit(after: elapsed)
        case .repeating(let flashes):
            flashes.areLit(
                after: .nanoseconds(
                    Int64(elapsed / .nanoseconds(1)) % Int64(flashes.length / .nanoseconds(1))))
        }
    }
}

extension [Flash] {
    /// Whether a lit time covers this instant; nothing does after the last.
    func areLit(after elapsed: Duration) -> Bool {
        var began = Duration.zero
        for flash in self {
            began += flash.dark
            if elapsed >= began, elapsed < began + flash.lit { return true }
            began += flash.lit
        }
        return false
    }
}
