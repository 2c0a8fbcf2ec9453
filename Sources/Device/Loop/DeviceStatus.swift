import DeviceMachine
import Hardware
import Outbox
import Turn
import Wire

/// What `lapel status` shows: a copy that the loop renews whenever something changed.
struct DeviceStatus: Equatable, Sendable {
    var phase = Gesture.Stage.off
    var stopReason: String?
    var microphoneOpen = false
    var mode = Gesture.Mode.press
    var refusal: String?
    var glitches = 0
    var lastTurn: TurnReport?
    var hostSays: String?
    /// Recordings sealed to keys that the paired host does not hold, as far as the transfer has come.
    var heldBack = 0

    func json(
        outbox counts: Counts, pairedHost: String?, foreign: ForeignServer?, isSealed: Bool,
        battery: BatteryLevel?, isSimulated: Bool
    ) -> JSON {
        [
            "version": .string(lapelVersion), "phase": .string(phase.name),
            "stopped_by": .optional(stopReason),
            "microphone_open": .bool(microphoneOpen), "mode": .string(mode.name),
            "refusal": .optional(refusal),
            "glitches": .integer(glitches), "paired_host": .optional(pairedHost),
            "foreign": .optional(pairedHost == nil ? foreign?.description : nil),
            "host_says": .optional(hostSays), "sealed": .bool(isSealed), "held_back": .integer(heldBack),
            "battery": battery?.json ?? .null, "simulated": .bool(isSimulated),
            "outbox": counts.json,
            "last_turn": lastTurn?.json ?? .null,
        ]
    }
}

extension BatteryLevel {
    var json: JSON { ["percent": .integer(percent), "charged": .bool(isCharged)] }

    /// As a person reads it.
    package var words: String { "\(percent) %\(isCharged ? ", on a charger" : isLow ? ", low" : "")" }

    /// As `json` writes it; nil for anything else.
    package init?(json: JSON?) {
        guard let percent = json?["percent"]?.int, let isCharged = json?["charged"]?.bool else { return nil }
        self.init(percent: percent, isCharged: isCharged)
    }
}

extension Counts {
    package var json: JSON {
        [
            "waiting": .integer(waiting), "bytes": .integer(bytes), "oldest": .optional(oldest?.description),
            "parked": .integer(parked), "sent": .integer(sent), "gaps": .integer(gaps),
            "recording": .integer(recording),
        ]
    }
}

extension Gesture.Stage {
    var name: String {
        switch self {
        case .off: "off"
        case .stopped: "stopped"
        case .starting: "starting"
        case .listening: "listening"
        case .thinking: "thinking"
        case .speaking: "speaking"
        }
    }
}
