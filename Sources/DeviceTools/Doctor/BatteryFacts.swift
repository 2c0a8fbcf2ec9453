import Device
import Hardware
import Turn

/// The battery, as it was found.
struct BatteryFacts: Equatable, Sendable {
    /// Nil where there is none, or it does not tell.
    var level: BatteryLevel?

    /// From here on somebody should think of a charger.
    private static let soonLow = 15

    var finding: Finding {
        guard let level else { return .good("battery", "None that the kernel knows.") }
        let words = "\(level.percent) %"
        if level.isLow {
            return .faulty(
                "battery",
                "\(words): too low to record. A press is answered by \(Fault.battery.code) blinks.",
                mend: "Charge the device.")
        }
        if level.isCharged { return .good("battery", "\(words), on a charger.") }
        if level.percent <= Self.soonLow {
            return .doubtful(
                "battery", "\(words). At \(BatteryLevel.lowMark) % turns end.", mend: "Charge the device.")
        }
        return .good("battery", "\(words).")
    }
}
