import Cues
import Hardware
import TestSupport
import Turn

/// The facts that hold for every motor. Each function is one fact and returns the ways in which it was broken: none, when
/// it holds. Time is turned by hand: no motor has a clock of its own.
struct MotorContract {
    /// A motor that was just had.
    let make: () throws -> ObservedOutput

    func itIsStillUntilItIsSet() throws -> [String] {
        try make().isOn() ? ["it runs before it was set"] : []
    }

    /// At every hundredth of a second the motor does what the cue's pattern has, and it changes at the deadlines alone.
    func everyCueIsFeltByTheLoopsDeadlines() throws -> [String] {
        let motor = try make()
        var broken: [String] = []
        for cue in lampCues {
            var service = CueService(lamp: false, motor: true, haptics: true)
            perform(service.fire(cue, at: .zero), motor)
            let pulses = HapticPattern.of(cue)?.pulses ?? []
            for step in 0..<200 {
                let now = Duration.milliseconds(10 * step)
                while let due = service.deadline, due <= now { perform(service.advance(to: due), motor) }
                let moves = pulses.areLit(after: now)
                if try motor.isOn() != moves {
                    broken.append("\(cue) at \(now): \(moves ? "still" : "runs")")
                }
            }
            if let due = service.deadline { broken.append("\(cue) goes on until \(due)") }
        }
        return broken
    }

    /// Long pulses asked for anew ten times a second never end by themselves: 5 s after it began the motor stands still,
    /// for a second.
    func itNeverRunsLongerThanFiveSeconds() throws -> [String] {
        let motor = try make()
        var service = CueService(lamp: false, motor: true, haptics: true)
        // How long it ran and rested, in turn, in hundredths of a second.
        var stretches = [0]
        var runs = true
        for step in 0..<1400 {
            let now = Duration.milliseconds(10 * step)
            while let due = service.deadline, due <= now { perform(service.advance(to: due), motor) }
            if step % 10 == 0 { perform(service.fire(.stopped(.battery), at: now), motor) }
            if try motor.isOn() != runs {
                runs.toggle()
                stretches.append(0)
            }
            stretches[stretches.count - 1] += 1
        }
        return stretches == [500, 100, 500, 100, 200] ? [] : ["it ran and rested for \(stretches)"]
    }

    /// The first sample is captured: whatever the motor was at, it stands still.
    func theFirstSampleStillsIt() throws -> [String] {
        let motor = try make()
        var service = CueService(lamp: false, motor: true, haptics: true)
        perform(service.fire(.starting, at: .zero), motor)
        guard try motor.isOn() else { return ["the press is not felt"] }
        perform(service.fire(.listening, at: .milliseconds(12)), motor)
        return try motor.isOn() ? ["it runs into the recording"] : []
    }

    func itIsStillWhenItIsLetGo() throws -> [String] {
        var motor = try make()
        motor.output?.set(true)
        motor.letGo()
        return try motor.isOn() ? ["it runs on"] : []
    }

    private func perform(_ outputs: [CueService.Output], _ motor: ObservedOutput) {
        for case .motor(let on) in outputs { motor.output?.set(on) }
    }
}
