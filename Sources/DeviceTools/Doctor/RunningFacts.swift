import Device
import Wire

/// The device that runs with this outbox, as it was found.
enum RunningFacts: Equatable, Sendable {
    /// None runs.
    case none
    /// Whether one runs cannot be asked.
    case silent(reason: String, owner: String?)
    case running(RunningDevice)

    var device: RunningDevice? {
        switch self {
        case .running(let device): device
        case .none, .silent: nil
        }
    }

    /// Its lines are its own.
    var holdsHardware: Bool {
        switch self {
        case .none: false
        case .silent, .running: true
        }
    }

    var finding: Finding {
        switch self {
        case .none:
            .doubtful(
                "device", "No lapel runs here: a press does nothing.",
                mend: "`lapel run`, or `sudo systemctl start lapel` where it is a service.")
        case .silent(let reason, let owner):
            .doubtful(
                "device", "Whether a device runs here cannot be asked: \(reason)",
                mend: "Run `\(owner.map { "sudo -u \($0) " } ?? "sudo ")lapel doctor`.")
        case .running(let device): device.finding
        }
    }
}

/// What a running device says of itself.
struct RunningDevice: Equatable, Sendable {
    var version: String
    var phase: String
    var stoppedBy: String?
    var isMicrophoneOpen: Bool
    var isSimulated: Bool
    /// Why a press is refused.
    var refusal: String?
    var hostSays: String?
    var waiting: Int
    var bytes: Int
    var parked: Int
    var heldBack: Int

    init(
        version: String = lapelVersion, phase: String = "off", stoppedBy: String? = nil,
        isMicrophoneOpen: Bool = false, isSimulated: Bool = false, refusal: String? = nil,
        hostSays: String? = nil, waiting: Int = 0, bytes: Int = 0, parked: Int = 0, heldBack: Int = 0
    ) {
        self.version = version
        self.phase = phase
        self.stoppedBy = stoppedBy
        self.isMicrophoneOpen = isMicrophoneOpen
        self.isSimulated = isSimulated
        self.refusal = refusal
        self.hostSays = hostSays
        self.waiting = waiting
        self.bytes = bytes
        self.parked = parked
        self.heldBack = heldBack
    }

    /// As `lapel status --json` tells it; what an older version does not tell is as if nothing were.
    init(status: JSON) {
        let outbox = status["outbox"]
        self.init(
            version: status["version"]?.string ?? "?", phase: status["phase"]?.string ?? "?",
            stoppedBy: status["stopped_by"]?.string,
            isMicrophoneOpen: status["microphone_open"]?.bool ?? false,
            isSimulated: status["simulated"]?.bool ?? false, refusal: status["refusal"]?.string,
            hostSays: status["host_says"]?.string, waiting: outbox?["waiting"]?.int ?? 0,
            bytes: outbox?["bytes"]?.int ?? 0, parked: outbox?["parked"]?.int ?? 0,
            heldBack: status["held_back"]?.int ?? 0)
    }

    fileprivate var finding: Finding {
        if version != lapelVersion {
            return .doubtful(
                "device", "lapel \(version) runs, and this is \(lapelVersion).",
                mend: "Start it anew: `sudo systemctl restart lapel`.")
        }
        if let stoppedBy {
            return .doubtful(
                "device", "lapel \(version) runs; its last turn was stopped: \(stoppedBy)",
                mend: "Press again when that is mended.")
        }
        return .good("device", "lapel \(version) runs\(isSimulated ? ", simulated" : ""); phase \(phase).")
    }
}
