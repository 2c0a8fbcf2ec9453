import Glibc
import Hardware

/// Whether a microphone may be used, found out before it is needed: a phone's three answers.
package enum MicrophonePermission: Equatable, Sendable, CustomStringConvertible {
    case granted
    /// `remedy` is a sentence with the command that mends it.
    case denied(remedy: String)
    /// The device is not there yet: a card may appear 20 s after boot. `reason` says what is missing.
    case undetermined(reason: String)

    package var description: String {
        switch self {
        case .granted: "granted"
        case .denied(let remedy): "denied: \(remedy)"
        case .undetermined(let reason): "undetermined: \(reason)"
        }
    }
}

extension ALSAMicrophone {
    /// Asks without recording, and holds nothing afterwards.
    ///
    /// A name that points to a card (`hw:`, `plughw:`, …) is answered from the card's device files, without
    /// opening any. Any other name (`default`, a plugin) is opened and closed again: only libasound knows what
    /// is behind it. A device that somebody else holds is granted: it is there, and it may be opened.
    package static func permission(device: String, configuration: String? = nil) -> MicrophonePermission {
        let nodes = DeviceNodes(device: device)
        if configuration == nil, cardIndex(of: device) != nil {
            if nodes.paths.isEmpty {
                return .undetermined(reason: "the card of \(device) has no microphone.")
            }
            return nodes.closed.isEmpty ? .granted : .denied(remedy: nodes.remedy)
        }
        do {
            _ = try CaptureDevice(name: device, configuration: configuration)
            return .granted
        } catch {
            let fault = error.fault(device: device, wasOpen: false)
            switch fault {
            case .busy: return .granted
            case .denied(_, let remedy): return .denied(remedy: remedy)
            case .missing, .unsupported, .unplugged, .noSignal, .failed:
                // libasound calls a card whose files it may not open missing.
                let hidden = configuration == nil && !nodes.paths.isEmpty && nodes.closed == nodes.paths
                return hidden ? .denied(remedy: nodes.remedy) : .undetermined(reason: fault.description)
            }
        }
    }
}
