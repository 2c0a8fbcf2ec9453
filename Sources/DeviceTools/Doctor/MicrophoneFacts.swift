import Hardware
import Terminal

/// The microphone, as it was found.
enum MicrophoneFacts: Equatable, Sendable {
    /// The device is simulated: it hears a file.
    case simulated
    case refused(Obstacle)
    /// A device runs with it: it is not opened beside that. `isOpen`: a turn is on.
    case held(isOpen: Bool)
    /// It is there, and there is a reason not to open it.
    case unopened(Obstacle)
    case heard(Heard)

    /// What one second brought.
    struct Heard: Equatable, Sendable {
        /// Of the device, as "S16_LE 16000 Hz 1 channel".
        var format: String
        /// dBFS of each 100 ms, in order.
        var levels: [Double]
        /// Samples at full scale.
        var clipped = 0
        /// Gaps in which the machine was too slow.
        var overruns = 0

        /// The loudest 100 ms.
        var level: Double { levels.max() ?? -120 }
        /// The second quietest 100 ms: one dropout is no silence of the room.
        var floor: Double { levels.count > 1 ? levels.sorted()[1] : level }
    }
}

extension MicrophoneFacts {
    /// A room that is louder hides speech: the reference rule wants 10 dB above the floor, which leaves little room
    /// below full scale. Of the microphone, its gain or its supply if the room itself is quiet.
    static let noisyFloor = -35.0
    /// Digital silence is −120; a microphone's own noise at 16 bits is above −90.
    static let silence = -119.0
    /// The gain is likely missing: the reference rule takes nothing below −45 for speech, and a quiet room is
    /// 20–40 dB below speech.
    static let faintLevel = -85.0

    /// - Parameter name: of the device, as the settings have it.
    func finding(_ name: String) -> Finding {
        switch self {
        case .simulated: .good("microphone", "Simulated: a file is heard, no card is opened.")
        case .refused(let refusal): .faulty("microphone", refusal)
        case .unopened(let refusal):
            .doubtful("microphone", "\(name) is there. \(refusal.text)", mend: refusal.mend)
        case .held(isOpen: false):
            .good(
                "microphone",
                "\(name) is there, and closed between presses. Beside `lapel run` it was not opened to measure it: stop that first, if you want its level."
            )
        case .held(isOpen: true): .good("microphone", "\(name) is open: a turn is on in `lapel run`.")
        case .heard(let heard): heard.finding(name)
        }
    }
}

extension MicrophoneFacts.Heard {
    fileprivate func finding(_ name: String) -> Finding {
        let figures =
            "level \(decibels(level)), noise floor \(decibels(floor)), by \(format.isEmpty ? "an unknown format" : format)"
        if levels.isEmpty {
            return .faulty(
                "microphone", "\(name) gave nothing that can be measured in 1 s.",
                mend: "Lower `settle_ms`, or look at `dmesg | tail`.")
        }
        if level < MicrophoneFacts.silence { return .faulty("microphone", Obstacle(.noSignal(device: name))) }
        if clipped > 0 {
            return .doubtful(
                "microphone", "\(name) is overdriven: \(clipped) samples at full scale (\(figures)).",
                mend: "Lower `gain`, or the card's own with `alsamixer`.")
        }
        if floor > MicrophoneFacts.noisyFloor {
            return .doubtful(
                "microphone", "\(name) hears much noise (\(figures)).",
                mend:
                    "Try again in a quiet room; if it stays, lower `gain` and check the microphone's supply and ground."
            )
        }
        if level < MicrophoneFacts.faintLevel {
            return .doubtful(
                "microphone", "\(name) hears next to nothing (\(figures)).",
                mend:
                    "Speak while `lapel doctor --live` shows the level; raise `gain` (20 suits I2S microphones) or unmute it with `alsamixer`."
            )
        }
        if overruns > 0 {
            return .doubtful(
                "microphone", "\(name) lost sound \(overruns) times in 1 s (\(figures)).",
                mend: "Look with `top` for what keeps the machine busy.")
        }
        return .good("microphone", "\(name) was open for 1 s: \(figures).")
    }

    private func decibels(_ value: Double) -> String { Figures.fixed(value, places: 0) + " dBFS" }
}
