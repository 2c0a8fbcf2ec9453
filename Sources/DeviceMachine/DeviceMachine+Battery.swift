import Hardware
import Turn

/// The battery is read when a turn begins, once a minute while it records, and when it has ended. Source: SPECIFICATION.md, "Lines".
extension DeviceMachine {
    private static let batteryPause = Duration.seconds(60)

    /// What follows for the battery from where the turn stands now.
    mutating func watchBattery(at now: Duration) {
        guard settings.battery else { return }
        switch stage {
        case .starting, .listening:
            if batteryReadAt == nil { readBatteryAgain(at: now) }
        case .off, .stopped, .thinking, .speaking:
            guard batteryReadAt != nil else { return }
            batteryReadAt = nil
            actions.append(.readBattery)
        }
    }

    mutating func readBatteryAgain(at now: Duration) {
        batteryReadAt = now + Self.batteryPause
        actions.append(.readBattery)
    }

    /// A battery that is nearly empty ends the turn; what was recorded is kept. Between turns it is only said, once:
    /// a press reads it anew, and it may hang on a charger by then.
    mutating func batteryRead(_ level: BatteryLevel?, at now: Duration) {
        let wasLow = batteryLevel?.isLow ?? false
        batteryLevel = level
        guard let level, level.isLow else { return }
        let sentence = "The battery is low (\(level.percent) %): charge the device."
        switch stage {
        case .starting: endTurn(by: .battery, fault: .battery, sentence: sentence, at: now)
        case .listening:
            actions.append(.log(.error, sentence))
            endTurn(by: .battery, fault: .battery, sentence: sentence, at: now)
        case .off, .stopped, .thinking, .speaking:
            if !wasLow { actions.append(.log(.error, sentence)) }
        }
    }
}
