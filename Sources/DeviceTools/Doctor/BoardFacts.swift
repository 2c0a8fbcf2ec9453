/// A line of the board, as it was found.
enum LineFacts: Equatable, Sendable {
    /// The settings name none.
    case none
    /// A simulated device has none.
    case simulated
    /// A running device holds it: it was not touched.
    case held
    case refused(Obstacle)
    /// An input device that is not plugged in or switched on: it is waited for.
    case absent(Obstacle)
    /// It is there. For a button, whether it is down; nil where its level cannot be read.
    case here(isDown: Bool?)
}

/// Button, lamp and motor: what was found, judged.
enum BoardFacts {
    /// - Parameter setting: as the settings name the button.
    static func button(_ setting: String, _ line: LineFacts) -> Finding {
        switch line {
        case .none, .simulated: .good("button", "Simulated: no line is used.")
        case .held: .good("button", "\(setting) is held by `lapel run`, and was not touched.")
        case .refused(let refusal): .faulty("button", refusal)
        case .absent(let refusal): .doubtful("button", refusal.text, mend: refusal.mend)
        case .here(let isDown): button(setting, isDown: isDown)
        }
    }

    private static func button(_ setting: String, isDown: Bool?) -> Finding {
        switch isDown {
        case false?: .good("button", "\(setting) is there, and up.")
        case true?:
            .doubtful(
                "button", "\(setting) is there, and down.",
                mend:
                    "Let go of it. If nobody holds it: check its wire, `button_bias`, and whether `button_active` is right."
            )
        case nil:
            .faulty(
                "button", "\(setting) is there, and its level cannot be read.",
                mend: "Unplug it and plug it in again, or set another button.")
        }
    }

    /// - Parameter name: of the line; nil where the settings name none.
    static func lamp(_ name: String?, _ line: LineFacts) -> Finding {
        switch line {
        case .simulated: .good("lamp", "Simulated: no line is used.")
        case .none:
            .doubtful(
                "lamp", "None is set: nobody sees when the microphone is open.", mend: "Set `lamp = LINE`.")
        case .held: .good("lamp", "\(name ?? "") is held by `lapel run`, and was not touched.")
        case .refused(let refusal), .absent(let refusal): .faulty("lamp", refusal)
        case .here:
            .good("lamp", "\(name ?? "") is there. It was lit for 0.2 s just now.")
        }
    }

    static func motor(_ name: String?, _ line: LineFacts) -> Finding {
        switch line {
        case .simulated: .good("motor", "Simulated: no line is used.")
        case .none: .good("motor", "None is set: nothing vibrates.")
        case .held: .good("motor", "\(name ?? "") is held by `lapel run`, and was not touched.")
        case .refused(let refusal), .absent(let refusal): .faulty("motor", refusal)
        case .here: .good("motor", "\(name ?? "") is there. It ran for 0.2 s just now.")
        }
    }
}
