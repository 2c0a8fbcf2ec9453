import Hardware
import Turn

extension DeviceMachine {
    /// A battery that is nearly empty ends the turn; what was recorded is kept. Between turns it is only said, once:
    /// a press reads it anew, and it may hang on a charger by then.
    mutating func batteryRead(_ level: BatteryLevel?, at now: Duration) {
        guard case .low(let percent, let wasKnown) = battery.read(level) else { return }
        let sentence = "The battery is low (\(percent) %): charge the device."
        switch stage.microphone {
        case .starting: endTurn(by: .battery, fault: .battery, sentence: sentence, at: now)
        case .listening:
            actions.append(.log(.error, sentence))
            endTurn(by: .battery, fault: .battery, sentence: sentence, at: now)
        case .unwanted:
            if !wasKnown { actions.append(.log(.error, sentence)) }
        }
    }
}
